import type { ChaosSettings } from "#shared/chaos.ts";
import type { ChaosChange } from "#shared/desk-inputs.ts";
import type { RefusalCode } from "#shared/outcomes.ts";
import { hasPermission, type Role } from "#shared/roles.ts";
import { appendAudit, recordRefusal } from "../audit/append.ts";
import type { Db } from "../db/client.ts";
import { DomainError } from "../errors.ts";
import type { Switchboard } from "./switchboard.ts";

/** The chaos of this process. */
export interface Chaos {
  switchboard: Switchboard;
  /** False where the database is one that Einmal did not start itself. */
  mayKillDatabase: boolean;
}

/**
 * Throws the switches that are named. The audit entry stands before the first of them acts. Throws DomainError
 * `role_not_allowed` or `database_not_ours`, which are in the audit chain too.
 */
export async function changeChaos(
  db: Db,
  change: ChaosChange,
  { chaos, operator }: { chaos: Chaos; operator: { id: string; role: Role } },
): Promise<void> {
  const act = {
    actor: { id: operator.id, role: operator.role },
    action: "chaos.change",
    target: { kind: "installation", id: "sandbox" },
    reason: null,
    before: sameOf(chaos.switchboard.settings(), change),
    after: { ...change },
    requestId: null,
  };
  const refusalCode = whyRefused(change, { chaos, role: operator.role });
  if (refusalCode) {
    await recordRefusal(db, { ...act, refusalCode });
    throw new DomainError(refusalCode);
  }
  await db.transaction((tx) => appendAudit(tx, { ...act, result: "done", refusalCode: null }));
  chaos.switchboard.change(change);
}

function whyRefused(
  { switches }: ChaosChange,
  { chaos, role }: { chaos: Chaos; role: Role },
): Extract<RefusalCode, "role_not_allowed" | "database_not_ours"> | null {
  if (!hasPermission(role, "run_chaos")) return "role_not_allowed";
  return switches.database_kills === true && !chaos.mayKillDatabase ? "database_not_ours" : null;
}

/** What the change is about, as it is now. */
function sameOf(settings: ChaosSettings, { switches, ...periods }: ChaosChange): Record<string, unknown> {
  const pick = (from: object, like: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => name in like));
  return { ...pick(settings, periods), switches: pick(settings.switches, switches) };
}
