import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Armed, Lane, Party } from "./lane.ts";
import { stopParty } from "./lane.ts";
import { createOperator, type Operator } from "./operator.ts";
import { createPostman, type Postman } from "./postman.ts";

/** One paid order that somebody dies over, and everybody who has to do with it. */
export interface Cell {
  lane: Lane;
  orderId: string;
  sessionId: string;
  event: { id: string };
  /** Another event object about the same thing. */
  twin: { id: string };
  newEvent: (type: string) => Promise<{ id: string }>;
  postman: Postman;
  operator: Operator;
  looks: SessionLooks;
  parties: Parties;
  statusOf: (eventId: string) => Promise<string | null>;
}

let made = 0;

export async function openCell(lane: Lane): Promise<Cell> {
  made += 1;
  const orderId = `order_${made}`;
  const { sessionId } = await lane.stripe.sessions.create({
    metadata: { order_id: orderId, user_id: `user_${made}` },
  });
  const newEvent = (type: string) => lane.stripe.eventOf(sessionId, { type });
  return {
    lane,
    orderId,
    sessionId,
    event: await newEvent("checkout.session.completed"),
    twin: await newEvent("checkout.session.completed"),
    newEvent,
    postman: createPostman(),
    operator: createOperator(lane),
    looks: createSessionLooks(lane, sessionId),
    parties: createParties(lane, join(lane.database.folder, `reached-${made}`)),
    statusOf: async (eventId) => {
      const [row] = await lane.sql`select status from processed_stripe_events where event_id = ${eventId}`;
      return row ? String(row.status) : null;
    },
  };
}

/** What workers ask Stripe about the cell's session. */
export interface SessionLooks {
  /** Requests so far. */
  count: () => number;
  /** The next `times` looks are refused with this status. */
  fail: (status: number) => void;
  /** Lets the next looks wait for release(). */
  hold: (times: number) => void;
  release: () => void;
}

function createSessionLooks({ stripe }: Lane, sessionId: string): SessionLooks {
  const path = new RegExp(`^/v1/checkout/sessions/${sessionId}$`);
  let release = () => {};
  return {
    count: () => stripe.controls.requests.filter((request) => path.test(request.path)).length,
    fail: (status) => stripe.controls.failNext({ path, status }),
    hold: (times) => {
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      for (let look = 0; look < times; look++) stripe.controls.delayNext({ path, until: gate });
    },
    release: () => release(),
  };
}

/** The processes of a cell. */
export interface Parties {
  start: (role: "web" | "worker") => Promise<Party>;
  /** Starts one that stops as it stands at the point, unless another one was there first. */
  startArmed: (role: "web" | "worker", point: Armed["point"]) => Promise<Party>;
  isReached: () => boolean;
  hasWorker: () => boolean;
  /** Who is to die: whoever got to the point, before that the first one armed. */
  victim: () => Party;
  holderOf: (eventId: string) => Promise<Party>;
  /** SIGKILL, and gone. */
  kill: (party: Party) => Promise<void>;
  /** Asks it to end, and insists that it does so in good order. */
  stop: (party: Party) => Promise<void>;
  stopAll: () => Promise<void>;
  killAll: () => Promise<void>;
}

function createParties(lane: Lane, reachedFile: string): Parties {
  const living = new Set<Party>();
  const armed: Party[] = [];
  const keep = (party: Party) => {
    living.add(party);
    return party;
  };
  /** 0 until the file is there and has been written: it is made before it is filled. */
  const reachedBy = () => (existsSync(reachedFile) ? Number(readFileSync(reachedFile, "utf8")) : 0);
  const kill = async (party: Party) => {
    party.kill("SIGKILL");
    await party.ended;
    living.delete(party);
  };
  const stop = async (party: Party) => {
    const { code } = await stopParty(party);
    living.delete(party);
    if (code !== 0)
      throw new Error(`a process ended with ${code} when asked to stop. It said:\n${party.output()}`);
  };
  return {
    start: async (role) => keep(await lane.start(role)),
    startArmed: async (role, point) => {
      const party = keep(await lane.start(role, { point, reachedFile }));
      armed.push(party);
      return party;
    },
    isReached: () => reachedBy() > 0,
    hasWorker: () => [...living].some((party) => party.role === "worker"),
    victim: () => {
      const pid = reachedBy() || armed[0]?.pid;
      const victim = armed.find((party) => party.pid === pid);
      if (!victim) throw new Error("Bug! There is no victim yet.");
      return victim;
    },
    holderOf: async (eventId) => {
      const [row] =
        await lane.sql`select claimed_by from processed_stripe_events where event_id = ${eventId}`;
      const holder = [...living].find((party) => String(row?.claimed_by).includes(`:${party.pid}:`));
      if (!holder) throw new Error(`${eventId} is held by nobody of this cell`);
      return holder;
    },
    kill,
    stop,
    stopAll: async () => {
      for (const party of living) await stop(party);
    },
    killAll: async () => {
      for (const party of living) await kill(party);
    },
  };
}
