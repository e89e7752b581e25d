import { asc } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createSwitchboard } from "../chaos/switchboard.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { refusalOf, useDesk } from "../testing/desk-bench.ts";
import { grantedOrder } from "../testing/order-builders.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const audited = () =>
  database()
    .db.select({
      action: auditEntries.action,
      result: auditEntries.result,
      refusalCode: auditEntries.refusalCode,
      before: auditEntries.before,
      after: auditEntries.after,
    })
    .from(auditEntries)
    .orderBy(asc(auditEntries.sequence));

describe("chaos", () => {
  const chaos = { switchboard: createSwitchboard(), mayKillDatabase: false };
  const desk = useDesk(database, { chaos });

  test("is thrown by ops, changes what is named, and leaves one entry that says what was before", async () => {
    const ops = await desk().signedInAs("ops");
    await ops.chaos.change.mutate({ switches: { twins: true }, workerSeconds: 7 });
    const state = await ops.chaos.state.query();
    expect(state).toMatchObject({
      switches: { twins: true, duplicates: false },
      workerSeconds: 7,
      mayKillDatabase: false,
      run: { isOn: true, tally: { workersKilled: 0 }, deliveries: { claimed: 0 }, takenOver: 0 },
    });
    expect(await audited()).toEqual([
      {
        action: "chaos.change",
        result: "done",
        refusalCode: null,
        before: { switches: { twins: false }, workerSeconds: 10 },
        after: { switches: { twins: true }, workerSeconds: 7 },
      },
    ]);
    chaos.switchboard.change({ switches: { twins: false } });
  });

  test("is refused to who may not, with an entry, and nothing is thrown", async () => {
    const support = await desk().signedInAs("support");
    expect(await refusalOf(support.chaos.change.mutate({ switches: { twins: true } }))).toBe(
      "role_not_allowed",
    );
    expect(chaos.switchboard.isOn()).toBe(false);
    expect(await audited()).toMatchObject([{ result: "refused", refusalCode: "role_not_allowed" }]);
  });

  test("never kills a database that is not ours, and says so to who asks for it", async () => {
    const admin = await desk().signedInAs("admin");
    expect(await refusalOf(admin.chaos.change.mutate({ switches: { database_kills: true } }))).toBe(
      "database_not_ours",
    );
    expect(chaos.switchboard.isOn()).toBe(false);
    // Off is where it is already.
    await admin.chaos.change.mutate({ switches: { database_kills: false } });
  });

  test.for([
    ["a switch that is none", { switches: { everything: true } }],
    ["a period below five seconds", { switches: {}, workerSeconds: 1 }],
    ["a period that is no number", { switches: {}, databaseSeconds: Number.NaN }],
    ["a field that is none", { switches: {}, faster: true }],
  ])("takes nothing of %s", async ([, input]) => {
    const ops = await desk().signedInAs("ops");
    expect(await refusalOf(ops.chaos.change.mutate(input as never))).toBe("BAD_REQUEST");
    expect([chaos.switchboard.isOn(), await audited()]).toEqual([false, []]);
  });

  test("shows the books: a paid order that nothing can be granted for yet is counted apart", async () => {
    const { db, sql } = database();
    const { orderId } = await grantedOrder(db);
    await sql`insert into orders (order_id, account, state, credits, version, paid_at)
      values ('order_lost', '', 'paid', 40, 1, now()), ('order_without', '', 'paid', null, 1, now()),
        ('order_open', '', 'pending', 40, 1, null)`;
    const ops = await desk().signedInAs("ops");
    const books = async () => (await ops.chaos.state.query()).books;
    expect(await books()).toMatchObject({ ordersPaid: 3, grants: 1, notExactlyOne: 1, withoutCredits: 1 });
    await sql`update orders set state = 'expired' where order_id = ${orderId}`;
    // A grant that nobody paid for is as wrong as a payment without one.
    expect(await books()).toMatchObject({ ordersPaid: 2, grants: 1, notExactlyOne: 2, withoutCredits: 1 });
  });
});

describe("outside a sandbox", () => {
  const desk = useDesk(database, { chaos: null });

  test("there is no chaos, for nobody", async () => {
    const admin = await desk().signedInAs("admin");
    expect(await refusalOf(admin.chaos.state.query())).toBe("only_in_sandbox");
    expect(await refusalOf(admin.chaos.change.mutate({ switches: { twins: true } }))).toBe("only_in_sandbox");
    expect(await audited()).toEqual([]);
  });
});
