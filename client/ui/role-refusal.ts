import { hasPermission, type Permission, type Role, rolesWith } from "#shared/roles.ts";
import { m } from "../messages/generated/messages.js";
import { roleWord } from "./state-words.tsx";

/** Why this role may not do it, or undefined when it may. */
export function roleRefusal(
  role: Role,
  { permission, what }: { permission: Permission; what: string },
): string | undefined {
  if (hasPermission(role, permission)) return undefined;
  const allowed = new Intl.ListFormat("en", { type: "disjunction" }).format(
    rolesWith(permission).map(roleWord),
  );
  return m.needs_role({ what, allowed, role: roleWord(role) });
}
