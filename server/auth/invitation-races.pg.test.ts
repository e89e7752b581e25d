import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "../db/client.ts";
import { account, operatorInvitations, user } from "../db/schema/sign-in.ts";
import { useDatabase } from "../testing/use-database.ts";
import { acceptInvitation, readInvitation } from "./accept-invitation.ts";
import { inviteOperator, issueFirstAdminLink, reissueInvitation } from "./invite.ts";

const database = useDatabase();
const deskUrl = "https://desk.example";
const admin = { id: "operator_admin", name: "Ada", email: "ada@example.test", role: "admin" as const };
const acceptance = { name: "Zoë Zimmer", password: "a-long-password" };
const refused = expect.objectContaining({ code: "invitation_invalid" });

const tokenOf = (link: string | null) => link?.split("#token=")[1] ?? "";
const accept = (token: string, email?: string) =>
  acceptInvitation(database().db, { ...acceptance, token, email });

/** Starts all calls while `lock` is held, each once those before it wait for it, and only then lets go. */
async function startBehind<T>(lock: (tx: Tx) => Promise<unknown>, calls: (() => Promise<T>)[]) {
  const started: Promise<PromiseSettledResult<T>[]>[] = [];
  await database().db.transaction(async (tx) => {
    await lock(tx);
    for (const [index, call] of calls.entries()) {
      started.push(Promise.allSettled([call()]));
      await expect.poll(countWaiting, { interval: 5, timeout: 10_000 }).toBe(index + 1);
    }
  });
  return (await Promise.all(started)).flat();
}

async function countWaiting(): Promise<number> {
  const waiting = await database().sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length;
}

describe("one link in several hands at once", () => {
  beforeEach(async () => {
    await database().db.insert(user).values(admin);
  });
  const invite = async () => {
    const { db } = database();
    const zoe = { name: "Zoë", email: "zoe@example.test", role: "support" as const };
    const { link } = await inviteOperator(db, { ...zoe, by: admin, deskUrl });
    const [row] = await db.select({ id: user.id }).from(user).where(eq(user.email, zoe.email));
    return { token: tokenOf(link), operatorId: row?.id ?? "" };
  };

  // Two people who each believe to have chosen the password: one of them signs in as the other.
  test("sets one password, and tells everybody else that it is used", async () => {
    const { token } = await invite();
    const lockLink = (tx: Tx) => tx.select().from(operatorInvitations).for("update");
    const uses = await startBehind(lockLink, [() => accept(token), () => accept(token), () => accept(token)]);
    expect(uses.map((use) => use.status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    for (const use of uses) if (use.status === "rejected") expect(use.reason).toEqual(refused);
    expect(await database().db.$count(account)).toBe(1);
    await expect(readInvitation(database().db, token)).rejects.toEqual(refused);
  });

  // Locks taken in two orders would end one of the two with a deadlock, which is nobody's answer.
  test("gives way to the link that an admin makes at the same moment", async () => {
    const { token, operatorId } = await invite();
    const lockOperator = (tx: Tx) => tx.select().from(user).where(eq(user.id, operatorId)).for("update");
    const [reissued, used] = await startBehind<object>(lockOperator, [
      () => reissueInvitation(database().db, { operatorId, by: admin, deskUrl }),
      () => accept(token),
    ]);
    expect(reissued).toMatchObject({ status: "fulfilled" });
    expect(used).toMatchObject({ status: "rejected", reason: refused });
  });

  test("wins over the link that an admin would make a moment later", async () => {
    const { token, operatorId } = await invite();
    const lockOperator = (tx: Tx) => tx.select().from(user).where(eq(user.id, operatorId)).for("update");
    const [used, reissued] = await startBehind<object>(lockOperator, [
      () => accept(token),
      () => reissueInvitation(database().db, { operatorId, by: admin, deskUrl }),
    ]);
    expect(used).toMatchObject({ status: "fulfilled" });
    expect(reissued).toMatchObject({ status: "rejected", reason: { code: "operator_signed_up" } });
  });
});

describe("an empty desk", () => {
  test("gets one admin, however many people hold the first link", async () => {
    const { db } = database();
    const token = tokenOf(await issueFirstAdminLink(db, deskUrl));
    const lockLink = (tx: Tx) => tx.select().from(operatorInvitations).for("update");
    const calls = ["a", "b", "c"].map((name) => () => accept(token, `${name}@example.test`));
    const uses = await startBehind(lockLink, calls);
    expect(uses.map((use) => use.status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await db.$count(user)).toBe(1);
  });

  test("gets one link, however many processes start at once: the last one's", async () => {
    const { db } = database();
    const links = await Promise.all([1, 2, 3, 4].map(() => issueFirstAdminLink(db, deskUrl)));
    const opens = await Promise.allSettled(links.map((link) => readInvitation(db, tokenOf(link))));
    expect(opens.filter((open) => open.status === "fulfilled")).toHaveLength(1);
    expect(await db.select({ isOpen: sql`used_at is null` }).from(operatorInvitations)).toEqual([
      { isOpen: true },
    ]);
  });
});
