import { describe, expect, test } from "vitest";
import { user } from "../db/schema/sign-in.ts";
import { openInstallation } from "../installation.ts";
import { useDatabase } from "../testing/use-database.ts";
import { listOperators } from "./operators.ts";
import { ensureSandboxOperators, SANDBOX_SIGN_INS } from "./sandbox-operators.ts";

const database = useDatabase();

describe("the sandbox's operators", () => {
  test("are there after each start, one per role, and once", async () => {
    const { db } = database();
    await openInstallation(db, "sandbox");
    await ensureSandboxOperators(db);
    await ensureSandboxOperators(db);
    const operators = await listOperators(db);
    expect(operators.map(({ email, role }) => `${email} ${role}`).toSorted()).toEqual(
      SANDBOX_SIGN_INS.map(({ email, role }) => `${email} ${role}`).toSorted(),
    );
    expect(operators.every((operator) => operator.hasSignedUp)).toBe(true);
  });

  // Everybody knows their password.
  test.for(["live", "test"] as const)("never exist on a %s installation", async (mode) => {
    const { db } = database();
    await openInstallation(db, mode);
    await expect(ensureSandboxOperators(db)).rejects.toThrow("in the sandbox only");
    expect(await db.$count(user)).toBe(0);
  });

  test("never exist where no start has said what the installation is", async () => {
    await expect(ensureSandboxOperators(database().db)).rejects.toThrow("in the sandbox only");
  });
});
