import type { Log } from "../log.ts";
import { createApi } from "./emulator/api.ts";
import { shownSession } from "./emulator/build-session.ts";
import { expireSession, paySession, sessionOrFail, settleSession } from "./emulator/checkout.ts";
import { type Controls, createControls, type MishapOf } from "./emulator/controls.ts";
import { createEmitter } from "./emulator/emit.ts";
import { buildEvent } from "./emulator/events.ts";
import { createIds } from "./emulator/ids.ts";
import { memoryStore, type ObjectStore } from "./emulator/object-store.ts";
import type { Session, StripeEvent } from "./emulator/objects.ts";
import { type ReadySession, type ReadySessionOptions, readySession } from "./emulator/ready-sessions.ts";
import { createSender, type SenderOptions, type WebhookSender } from "./emulator/webhook-sender.ts";
import { byBuyer, createTurns, type DeliverOptions, type World } from "./emulator/world.ts";

/** The only key it takes. No secret: it opens invented data on this machine. */
const SANDBOX_SECRET_KEY = "sk_test_einmal_sandbox";

export interface EmulatorOptions {
  /** Any free port if absent. */
  port?: number;
  /** Where objects and events are kept; in this process's memory if absent. */
  store?: ObjectStore;
  /** The endpoint that is told of events; nobody is if absent. */
  webhook?: Omit<SenderOptions, "log" | "now" | "onDelivered">;
  log?: Log;
  random?: () => number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** What goes wrong all the time, beside what `controls` is told. */
  disturbance?: Disturbance;
}

/** Bad days of Stripe and of the way to us: asked anew for each act and each request, so that it may change. */
export interface Disturbance {
  deliveryOf: (usual: DeliverOptions) => DeliverOptions;
  mishapOf: MishapOf;
}

interface ActOptions {
  account?: string;
  /** Whether the act's events are sent, and how; once and in order if absent. */
  deliver?: DeliverOptions | false;
}

export interface Emulator {
  /** Such as http://127.0.0.1:12111, without `/v1`. */
  apiBase: string;
  port: number;
  secretKey: string;
  /** What a test or the shop makes it do wrong, and what it was asked. */
  controls: Controls;
  /** A buyer's, a bank's and time's acts without HTTP. */
  sessions: {
    create: (options?: ReadySessionOptions) => Promise<ReadySession>;
    pay: (
      sessionId: string,
      options?: ActOptions & { method?: "card" | "bank_transfer" | "free"; email?: string },
    ) => Promise<Session>;
    settle: (sessionId: string, options?: ActOptions & { fails?: boolean }) => Promise<Session>;
    expire: (sessionId: string, options?: ActOptions) => Promise<Session>;
  };
  /**
   * An event about a session as it is now, kept but not sent: for a test that signs and posts by itself. Each call
   * makes another event object, so that a second one of the same type is a twin.
   */
  eventOf: (
    sessionId: string,
    options: { type: string; account?: string; eventId?: string },
  ) => Promise<StripeEvent>;
  /** Null if nobody is told. */
  webhooks: Pick<WebhookSender, "deliver"> | null;
  /** Sends again what an earlier process recorded and could not deliver. Says how many events. */
  resumeDeliveries: () => Promise<number>;
  /** Resolves when every event so far was delivered or given up. */
  idle: () => Promise<void>;
  /** Closes the port and breaks off deliveries; what is undelivered stays pending in the store. */
  stop: () => Promise<void>;
}

/** Starts a Stripe stand-in on 127.0.0.1 that the real client talks to over HTTP. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { store = memoryStore(), log, disturbance } = options;
  const now = options.now ?? Date.now;
  const nowSeconds = () => Math.floor(now() / 1000);
  const newId = createIds(options.random ?? Math.random);
  const onError = (error: unknown) => log?.error({ err: error }, "Sandbox: a delivery failed unexpectedly.");
  const sender = options.webhook
    ? createSender({
        ...options.webhook,
        log,
        now,
        onDelivered: (event) => store.put("event", event.account ?? "", { ...event, pending_webhooks: 0 }),
      })
    : null;
  const emitter = createEmitter({
    store,
    nowSeconds,
    newId,
    sender,
    onError,
    ...(disturbance && { deliveryOf: disturbance.deliveryOf }),
  });
  const world: World = { store, nowSeconds, newId, emit: emitter.emit, inTurn: createTurns() };
  const controls = createControls(
    (sessionId, patch, { account = "" } = {}) =>
      world.inTurn(async () => {
        const session = await sessionOrFail(world, sessionId, account);
        const overrides = { ...session.sandbox.overrides, ...patch };
        await store.put("checkout.session", account, {
          ...session,
          sandbox: { ...session.sandbox, overrides },
        });
      }),
    disturbance?.mishapOf,
  );
  const address = { base: "" };
  const payAddress = (sessionId: string) => `${address.base}/sandbox/sessions/${sessionId}`;
  const app = createApi({ world, secretKey: SANDBOX_SECRET_KEY, controls, payAddress, log });
  const server = await listen(app, options.port ?? 0);
  const port = portOf(server.address());
  address.base = `http://127.0.0.1:${port}`;

  return {
    apiBase: address.base,
    port,
    secretKey: SANDBOX_SECRET_KEY,
    controls: controls.controls,
    sessions: sessionActs(world),
    eventOf: (sessionId, given) => eventOf(world, sessionId, given),
    webhooks: sender,
    resumeDeliveries: emitter.resume,
    idle: emitter.idle,
    stop: async () => {
      await sender?.stop();
      await emitter.idle();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(app: ReturnType<typeof createApi>, port: number) {
  return new Promise<ReturnType<typeof app.listen>>((resolve, reject) => {
    const server = app.listen(port, "127.0.0.1", (error?: Error) =>
      error ? reject(error) : resolve(server),
    );
  });
}

function portOf(address: ReturnType<ReturnType<ReturnType<typeof createApi>["listen"]>["address"]>): number {
  if (typeof address === "object" && address) return address.port;
  throw new Error("Bug! A server that listens has a port.");
}

const origin = ({ account = "", deliver = {} }: ActOptions) => byBuyer(account, deliver);

function sessionActs(world: World): Emulator["sessions"] {
  return {
    create: (given = {}) => readySession(world, given),
    pay: (sessionId, { method = "card", email, ...act } = {}) =>
      paySession(world, { sessionId, method, email }, origin(act)),
    settle: (sessionId, { fails = false, ...act } = {}) =>
      settleSession(world, { sessionId, fails }, origin(act)),
    expire: (sessionId, act = {}) => expireSession(world, { sessionId }, origin(act)),
  };
}

async function eventOf(
  world: World,
  sessionId: string,
  { type, account = "", eventId }: { type: string; account?: string; eventId?: string },
): Promise<StripeEvent> {
  const session = await sessionOrFail(world, sessionId, account);
  const stamp = {
    id: eventId ?? world.newId("evt"),
    created: world.nowSeconds(),
    origin: byBuyer(account, false),
    isExpected: false,
  };
  const event = buildEvent({ type, object: shownSession(session) }, stamp);
  await world.store.put("event", account, event);
  return event;
}
