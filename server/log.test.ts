import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeError } from "./log.ts";

// The parameters of a statement are payloads, addresses and tokens, and logs are kept where those may not be.
test("an error of the database is logged with its statement and constraint, and never with a value", () => {
  const cause = Object.assign(new Error("duplicate key value violates unique constraint"), {
    code: "23505",
    constraint_name: "one_operator_per_email",
    detail: "Key (email)=(ada@example.test) already exists.",
    parameters: ["ada@example.test"],
  });
  const failed = new DrizzleQueryError("insert into operators values ($1)", ["ada@example.test"], cause);
  const wrapped = new TypeError("The invitation failed.", { cause: failed });

  for (const error of [failed, wrapped]) {
    const text = JSON.stringify(describeError(error));
    expect(text).toContain("insert into operators");
    expect(text).toContain("one_operator_per_email");
    expect(text).toContain("log.test.ts");
    expect(text).not.toContain("ada@example.test");
  }
});

test("a circle of causes ends", () => {
  const error = new Error("one");
  error.cause = new Error("two", { cause: error });
  expect(JSON.stringify(describeError(error))).toContain("two");
});
