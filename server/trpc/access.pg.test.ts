import { beforeEach, describe, expect, test, vi } from "vitest";
import { ROLES, type Role } from "#shared/roles.ts";
import { deadEvent } from "../testing/builders.ts";
import { type DeskBench, refusalOf, useDesk } from "../testing/desk-bench.ts";
import { grantedOrder } from "../testing/order-builders.ts";
import { useDatabase } from "../testing/use-database.ts";
import { appRouter } from "./router.ts";

const database = useDatabase();
const desk = useDesk(database);
vi.setConfig({ testTimeout: 30_000 });

type Client = ReturnType<DeskBench["client"]>;
interface Procedure {
  call: (client: Client) => Promise<unknown>;
  /** Who is answered; `anybody` includes who is not signed in. */
  open: readonly Role[] | "anybody";
  /** What the others are told, where it is not the lack of a role. */
  answer?: string;
}

let eventId = "";
let orderId = "";
beforeEach(async () => {
  eventId = await deadEvent(database().db);
  orderId = (await grantedOrder(database().db)).orderId;
});

const invited = { email: "new@example.test", name: "Nina", role: "support" } as const;
const acceptance = { token: "t".repeat(43), name: "Nina", password: "a-long-password" };
const replay = () => ({
  requestId: crypto.randomUUID(),
  eventId,
  expectedAttempt: 1,
  expectedPhase: "dead" as const,
  reason: "The price has credits now.",
});

const PROCEDURES: Record<string, Procedure> = {
  "chaos.state": { call: (client) => client.chaos.state.query(), open: ROLES },
  "chaos.change": {
    call: (client) => client.chaos.change.mutate({ switches: { twins: true } }),
    open: ["ops", "admin"],
  },
  "events.counts": { call: (client) => client.events.counts.query(), open: ROLES },
  "events.types": { call: (client) => client.events.types.query(), open: ROLES },
  "events.list": { call: (client) => client.events.list.query({}), open: ROLES },
  "events.get": { call: (client) => client.events.get.query({ eventId }), open: ROLES },
  "orders.counts": { call: (client) => client.orders.counts.query(), open: ROLES },
  "orders.list": { call: (client) => client.orders.list.query({}), open: ROLES },
  "orders.get": { call: (client) => client.orders.get.query({ orderId }), open: ROLES },
  "replays.forecast": { call: (client) => client.replays.forecast.query({ eventId }), open: ROLES },
  "replays.request": { call: (client) => client.replays.request.mutate(replay()), open: ["ops", "admin"] },
  "operators.me": { call: (client) => client.operators.me.query(), open: ROLES },
  "operators.list": { call: (client) => client.operators.list.query(), open: ["admin"] },
  "operators.invite": { call: (client) => client.operators.invite.mutate(invited), open: ["admin"] },
  "operators.reissueInvitation": {
    // Nobody to reissue for: an admin gets as far as being told so.
    call: (client) => client.operators.reissueInvitation.mutate({ operatorId: "nobody" }),
    open: ["admin"],
    answer: "operator_unknown",
  },
  "operators.invitation": {
    call: (client) => client.operators.invitation.query({ token: acceptance.token }),
    open: "anybody",
    answer: "invitation_invalid",
  },
  "operators.acceptInvitation": {
    call: (client) => client.operators.acceptInvitation.mutate(acceptance),
    open: "anybody",
    answer: "invitation_invalid",
  },
};

describe("access", () => {
  test("is decided for every procedure there is", () => {
    expect(Object.keys(appRouter._def.procedures).toSorted()).toEqual(Object.keys(PROCEDURES).toSorted());
  });

  test("of who is not signed in ends at the door, except for a one-time link", async () => {
    const stranger = desk().client();
    for (const [name, { call, open, answer = "answered" }] of Object.entries(PROCEDURES)) {
      expect(await refusalOf(call(stranger)), name).toBe(open === "anybody" ? answer : "UNAUTHORIZED");
    }
  });

  test.for(ROLES)("of %s is what the role permits", async (role) => {
    const client = await desk().signedInAs(role);
    for (const [name, { call, open, answer = "answered" }] of Object.entries(PROCEDURES)) {
      const isOpen = open === "anybody" || open.includes(role);
      expect(await refusalOf(call(client)), name).toBe(isOpen ? answer : "role_not_allowed");
    }
  });
});

describe("what goes wrong", () => {
  test("in the server is told to the log and to nobody else", async () => {
    const client = await desk().signedInAs("support");
    await database().sql`alter table orders rename to orders_gone`;
    try {
      const call = client.orders.list.query({});
      await expect(call).rejects.toMatchObject({
        message: "INTERNAL_SERVER_ERROR",
        data: { code: "INTERNAL_SERVER_ERROR", outcomeCode: null },
      });
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(JSON.stringify(error)).not.toMatch(/select|credit_ledger|stack|node_modules/);
      expect(desk().logged()).toContain("does not exist");
    } finally {
      await database().sql`alter table orders_gone rename to orders`;
    }
  });

  test.for([
    ["an id that nobody has", { eventId: "evt_nobody" }, "event_unknown"],
    ["text that no row can hold", { eventId: "evt_\u0000" }, "BAD_REQUEST"],
    ["nothing", { eventId: "" }, "BAD_REQUEST"],
  ] as const)("with %s is told to who asks", async ([, input, code]) => {
    const client = await desk().signedInAs("support");
    expect(await refusalOf(client.events.get.query(input))).toBe(code);
    expect(await refusalOf(client.replays.forecast.query(input))).toBe(code);
    expect(desk().logged()).not.toContain("a procedure failed");
  });
});

test("money and instants arrive as what they are", async () => {
  const client = await desk().signedInAs("finance");
  const { order, balance } = await client.orders.get.query({ orderId });
  expect(order).toMatchObject({ amountTotalMinor: 1900n, createdAt: expect.any(Date) });
  expect(balance).toBe(100n);
});
