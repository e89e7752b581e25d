import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { verifyAudit } from "../audit/verify.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { account, operatorInvitations, user } from "../db/schema/sign-in.ts";
import { DomainError } from "../errors.ts";
import { useDatabase } from "../testing/use-database.ts";
import { acceptInvitation, readInvitation } from "./accept-invitation.ts";
import { inviteOperator, issueFirstAdminLink, reissueInvitation } from "./invite.ts";
import { listOperators } from "./operators.ts";

const database = useDatabase();
const deskUrl = "https://desk.example";
const admin = { id: "operator_admin", name: "Ada", email: "ada@example.test", role: "admin" as const };
const zoe = { name: "Zoë", email: "zoe@example.test", role: "support" as const };
const acceptance = { name: "Zoë Zimmer", password: "a-long-password" };

const tokenOf = ({ link }: { link: string }) =>
  new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
const inviteZoe = () => inviteOperator(database().db, { ...zoe, by: admin, deskUrl });
const accept = (token: string, more: object = {}) =>
  acceptInvitation(database().db, { token, ...acceptance, ...more });
const codeOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof DomainError ? error.code : error;
};

describe("inviting an operator", () => {
  test("makes somebody who can sign in once they have used their link", async () => {
    const issued = await inviteZoe();
    expect(issued.link).toMatch(/^https:\/\/desk\.example\/welcome#token=[\w-]{43}$/);
    const { email, role } = await readInvitation(database().db, tokenOf(issued));
    expect({ email, role }).toEqual({ email: zoe.email, role: "support" });
    expect(await listOperators(database().db)).toMatchObject([
      { email: zoe.email, hasSignedUp: false, invitationExpiresAt: issued.expiresAt },
    ]);

    expect(await accept(tokenOf(issued))).toEqual({ email: zoe.email });
    expect(await listOperators(database().db)).toMatchObject([
      { name: "Zoë Zimmer", role: "support", hasSignedUp: true, invitationExpiresAt: null },
    ]);
  });

  test("keeps no token that could be used by who reads the database", async () => {
    const token = tokenOf(await inviteZoe());
    const [row] = await database()
      .sql`select row_to_json(operator_invitations)::text as row from operator_invitations`;
    expect(row?.row).not.toContain(token);
    expect(row?.row).not.toContain(Buffer.from(token, "base64url").toString("hex"));
  });

  test("uses a link once, also when it is used twice at the same moment", async () => {
    const token = tokenOf(await inviteZoe());
    const results = await Promise.allSettled([
      accept(token),
      accept(token, { password: "another-password" }),
    ]);
    expect(results.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await database().db.$count(account)).toBe(1);
    expect(await codeOf(accept(token))).toBe("invitation_invalid");
  });

  test("lets a link end after three days", async () => {
    const token = tokenOf(await inviteZoe());
    const [row] = await database().sql`
      select extract(epoch from expires_at - created_at)::int / 3600 as hours from operator_invitations`;
    expect(row?.hours).toBe(72);
    await database().db.update(operatorInvitations).set({ expiresAt: sql`now()` });
    expect(await codeOf(readInvitation(database().db, token))).toBe("invitation_invalid");
    expect(await codeOf(accept(token))).toBe("invitation_invalid");
  });

  test("binds a link to the address it was made for", async () => {
    const token = tokenOf(await inviteZoe());
    expect(await accept(token, { email: "eve@example.test" })).toEqual({ email: zoe.email });
  });

  test("refuses an address that an operator has", async () => {
    await inviteZoe();
    expect(await codeOf(inviteZoe())).toBe("operator_exists");
    expect(await database().db.$count(user)).toBe(1);
  });

  test("is an admin's act: another's try changes nothing and is on record", async () => {
    const by = { ...admin, id: "operator_ops", role: "ops" as const };
    expect(await codeOf(inviteOperator(database().db, { ...zoe, by, deskUrl }))).toBe("role_not_allowed");
    expect(await codeOf(reissueInvitation(database().db, { operatorId: "x", by, deskUrl }))).toBe(
      "role_not_allowed",
    );
    expect(await database().db.$count(user)).toBe(0);
    const entries = await database().db.select().from(auditEntries).orderBy(auditEntries.sequence);
    expect(entries).toMatchObject([
      {
        actorId: "operator_ops",
        action: "operator.invite",
        result: "refused",
        refusalCode: "role_not_allowed",
      },
      { actorId: "operator_ops", action: "operator.reissue_invitation", result: "refused" },
    ]);
  });

  // Erasing a person must never touch the chain.
  test("writes ids into the audit chain, and no name and no address", async () => {
    await accept(tokenOf(await inviteZoe()));
    const entries = await database().db.select().from(auditEntries).orderBy(auditEntries.sequence);
    expect(entries).toMatchObject([
      { action: "operator.invite", actorId: admin.id, after: { role: "support" } },
      { action: "operator.join", after: { role: "support", isFirst: false } },
    ]);
    expect(entries[0]?.targetId).toBe(entries[1]?.actorId);
    const text = JSON.stringify(entries, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    expect(text).not.toMatch(/zo[eë]|@/i);
    expect(await verifyAudit(database().db)).toEqual({ entries: 2n, firstBroken: null });
  });
});

describe("a new link", () => {
  const reissue = (operatorId: string) =>
    reissueInvitation(database().db, { operatorId, by: admin, deskUrl });
  const idOfZoe = async () => {
    const [row] = await database().db.select({ id: user.id }).from(user).where(eq(user.email, zoe.email));
    return row?.id ?? "";
  };

  test("takes the place of the old one", async () => {
    const old = tokenOf(await inviteZoe());
    const fresh = tokenOf(await reissue(await idOfZoe()));
    expect(await codeOf(accept(old))).toBe("invitation_invalid");
    expect(await accept(fresh)).toEqual({ email: zoe.email });
  });

  test("is refused for who has a password, and for nobody", async () => {
    await accept(tokenOf(await inviteZoe()));
    expect(await codeOf(reissue(await idOfZoe()))).toBe("operator_signed_up");
    expect(await codeOf(reissue("operator_unknown"))).toBe("operator_unknown");
  });
});

describe("the first admin", () => {
  const first = { email: "first@example.test" };

  test("comes by a link that each start replaces", async () => {
    const old = tokenOf({ link: (await issueFirstAdminLink(database().db, deskUrl)) ?? "" });
    const token = tokenOf({ link: (await issueFirstAdminLink(database().db, deskUrl)) ?? "" });
    expect(await codeOf(accept(old, first))).toBe("invitation_invalid");
    expect(await readInvitation(database().db, token)).toEqual({ email: null, role: "admin" });
    expect(await accept(token, first)).toEqual(first);
    expect(await listOperators(database().db)).toMatchObject([
      { ...first, role: "admin", hasSignedUp: true },
    ]);
    expect(await issueFirstAdminLink(database().db, deskUrl)).toBeNull();
  });

  test("is one person, however often the link is used at the same moment", async () => {
    const token = tokenOf({ link: (await issueFirstAdminLink(database().db, deskUrl)) ?? "" });
    const results = await Promise.allSettled(
      ["a", "b", "c"].map((name) => accept(token, { email: `${name}@example.test` })),
    );
    expect(results.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    expect(await database().db.$count(user)).toBe(1);
  });

  test("cannot come by an old link once somebody is there", async () => {
    const token = tokenOf({ link: (await issueFirstAdminLink(database().db, deskUrl)) ?? "" });
    await inviteZoe();
    expect(await codeOf(accept(token, first))).toBe("invitation_invalid");
  });

  test("must type an address", async () => {
    const token = tokenOf({ link: (await issueFirstAdminLink(database().db, deskUrl)) ?? "" });
    expect(await codeOf(accept(token))).toBe("invitation_invalid");
    expect(await accept(token, first)).toEqual(first);
  });
});
