import { hasPermission, type Role, rolesWith } from "#shared/roles.ts";
import { m } from "../../messages/generated/messages.js";
import { roleWord } from "../../ui/state-words.tsx";

/** Why this role may not replay, or undefined when it may. */
export function replayRefusal(role: Role): string | undefined {
  if (hasPermission(role, "replay_events")) return undefined;
  const allowed = new Intl.ListFormat("en", { type: "disjunction" }).format(
    rolesWith("replay_events").map(roleWord),
  );
  return m.replay_needs_role({ allowed, role: roleWord(role) });
}
