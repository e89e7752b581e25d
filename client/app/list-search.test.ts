import { describe, expect, test } from "vitest";
import { eventSearch, orderSearch, signInSearch } from "./list-search.ts";

describe("the address of a list", () => {
  test("means the unfinished events, oldest first, when it says nothing", () => {
    expect(eventSearch.parse({})).toEqual({ view: "unfinished", sort: "oldest" });
  });

  test("still opens when a part of it is not understood", () => {
    const parsed = eventSearch.parse({ view: "stuck", sort: "size", olderThanSeconds: -5, type: "charge.*" });
    expect(parsed).toEqual({ view: "unfinished", sort: "oldest", type: "charge.*" });
    expect(orderSearch.parse({ view: 7 })).toEqual({ view: "all" });
  });

  test("takes an id that looks like a number for the text it is", () => {
    expect(orderSearch.parse({ q: 10482 })).toEqual({ view: "all", q: "10482" });
  });
});

describe("the place to come back to after signing in", () => {
  test("is a path of this desk", () => {
    expect(signInSearch.parse({ next: "/events?view=dead" })).toEqual({ next: "/events?view=dead" });
  });

  // Otherwise a link to the sign-in page could lead a freshly signed-in operator to a copy of the desk.
  test.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "events"])(
    "is never %s",
    (next) => {
      expect(signInSearch.parse({ next })).toEqual({});
    },
  );
});
