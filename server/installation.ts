import { randomBytes } from "node:crypto";
import type { Mode } from "#shared/desk-views.ts";
import type { Db } from "./db/client.ts";
import { installation } from "./db/schema/installation.ts";
import { StartRefused } from "./start-refused.ts";

const WHAT_MODES_ARE: Record<Mode, string> = {
  sandbox: "the sandbox (no STRIPE_SECRET_KEY)",
  test: "Stripe test mode (sk_test_... or rk_test_...)",
  live: "live mode (sk_live_... or rk_live_...)",
};

/**
 * Binds the database to its mode at the first start, and refuses every later start in another one: credits
 * bought with test cards must never become real, and a lost key must never open the sandbox on real data.
 * Returns the secret that sign-in uses while EINMAL_SECRET is unset.
 */
export async function openInstallation(db: Db, mode: Mode): Promise<{ signInSecret: string }> {
  await db
    .insert(installation)
    .values({ mode, signInSecret: randomBytes(32).toString("base64url") })
    .onConflictDoNothing();
  const [row] = await db.select().from(installation);
  if (!row) throw new Error("Bug! The installation has no row although one was just written.");
  if (row.mode === mode) return { signInSecret: row.signInSecret };

  throw new StartRefused(
    `This database belongs to ${WHAT_MODES_ARE[row.mode]}, but this start is ${WHAT_MODES_ARE[mode]}.\n` +
      "One database serves one mode for ever, so that test credits never turn into real ones.\n" +
      "Either start with the key that belongs to it, or give the new mode a database of its own: another\n" +
      "DATABASE_URL, or another EINMAL_FOLDER for the embedded one.",
  );
}
