import { expect, test } from "vitest";
import { memberPath } from "./payload-path.ts";

test("a payload path reads as code would write it", () => {
  const object = memberPath(memberPath("", "data"), "object");
  expect(object).toBe("data.object");
  expect(memberPath(memberPath(object, "lines"), 0)).toBe("data.object.lines[0]");
});

test("a key that is no plain name is quoted", () => {
  expect(memberPath("metadata", "order id")).toBe('metadata["order id"]');
  expect(memberPath("", "v2.core")).toBe('["v2.core"]');
});
