import { expect, test } from "vitest";
import { shortenId } from "./shorten-id.ts";

test("a long id keeps its start and its end", () => {
  expect(shortenId("evt_1SbKa2CZ6qsJgndJq9Xa")).toBe("evt_1SbK…q9Xa");
});

test("an id that is short anyway stays whole", () => {
  expect(shortenId("order_10482")).toBe("order_10482");
});

test("a character outside the basic plane is never cut in two", () => {
  expect(shortenId("💳".repeat(20))).toBe(`${"💳".repeat(8)}…${"💳".repeat(4)}`);
});
