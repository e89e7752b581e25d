/** Who an operator is on the desk. */
export const ROLES = ["support", "ops", "finance", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What a role may be allowed to do. Reading is open to every signed-in operator. */
export const PERMISSIONS = ["replay_events", "manage_operators", "read_payment_fields", "run_chaos"] as const;
export type Permission = (typeof PERMISSIONS)[number];

const GRANTED: Record<Role, readonly Permission[]> = {
  support: [],
  ops: ["replay_events", "run_chaos"],
  finance: ["read_payment_fields"],
  admin: ["replay_events", "manage_operators", "read_payment_fields", "run_chaos"],
};

export function hasPermission(role: Role, permission: Permission): boolean {
  return GRANTED[role].includes(permission);
}

/** The roles that hold a permission, in the order of `ROLES`, for sentences such as "needs ops or admin". */
export function rolesWith(permission: Permission): Role[] {
  return ROLES.filter((role) => hasPermission(role, permission));
}
