import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { ROLES } from "../../../shared/roles.ts";
import { bytes, instant, sqlList } from "../columns.ts";

/**
 * The tables of sign-in, under the names better-auth looks for and with the columns it needs. better-auth writes
 * `session`, `verification` and `rate_limit`; only auth/invitations.ts and auth/sandbox-operators.ts make rows of
 * `user` and `account`, so that nobody becomes an operator without an admin having said so.
 *
 * A user without an account row has been invited and cannot sign in yet.
 */
export const user = pgTable(
  "user",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull().unique("one_operator_per_email"), // Lower case, or two spellings would be two people.
    emailVerified: boolean().notNull().default(false),
    image: text(),
    role: text({ enum: ROLES }).notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("operator_role_is_known", sql`${t.role} in (${sql.raw(sqlList(ROLES))})`),
    check("operator_email_is_lower_case", sql`${t.email} = lower(${t.email})`),
  ],
);

/** Who is signed in where. Deleting a row signs that browser out at its next request. */
export const session = pgTable(
  "session",
  {
    id: text().primaryKey(),
    token: text().notNull().unique("one_session_per_token"),
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    expiresAt: instant().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index("sessions_by_operator").on(t.userId)],
);

/** How an operator proves who they are: one row per way, today only `credential` with a hashed password. */
export const account = pgTable(
  "account",
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    providerId: text().notNull(),
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: instant(),
    refreshTokenExpiresAt: instant(),
    scope: text(),
    password: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex("one_account_per_operator_and_provider").on(t.userId, t.providerId)],
);

/** better-auth's short-lived secrets. Nothing that is open today writes one. */
export const verification = pgTable(
  "verification",
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index("verifications_by_identifier").on(t.identifier)],
);

/** Requests counted per address and path, here and not in memory, so that all web processes share one count. */
export const rateLimit = pgTable("rate_limit", {
  id: text().primaryKey(),
  key: text().notNull().unique("one_count_per_key"),
  count: integer().notNull(),
  lastRequest: bigint({ mode: "number" }).notNull(), // Milliseconds since 1970.
});

/**
 * One-time links, written and used up by auth/invitations.ts. Only the token's hash is kept: whoever reads the
 * database cannot use the links in it. At most one link per operator is open; a new one takes its place.
 */
export const operatorInvitations = pgTable(
  "operator_invitations",
  {
    tokenHash: bytes().primaryKey(),
    userId: text().references(() => user.id, { onDelete: "cascade" }), // Null: whoever uses it is the first admin.
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [
    // One open link per operator, and one open link for the first admin ('' stands for nobody yet).
    uniqueIndex("one_open_invitation").on(sql`coalesce(${t.userId}, '')`).where(sql`${t.usedAt} is null`),
  ],
);
