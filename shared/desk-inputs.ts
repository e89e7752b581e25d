import { z } from "zod";
import { CHAOS_PERIOD_SECONDS, CHAOS_SWITCHES } from "./chaos.ts";
import { EVENT_PHASES } from "./event-status.ts";
import { ORDER_STATES } from "./order-state.ts";
import { ROLES } from "./roles.ts";

/** Shortest reason an operator may give for an act; shorter ones explain nothing a year later. */
export const REASON_LENGTH_MIN = 10;
export const REASON_LENGTH_MAX = 500;
export const PAGE_SIZE = 50;

/** What the events list can be filtered by. `unfinished` is every phase but `processed`. */
export const EVENT_VIEWS = ["unfinished", ...EVENT_PHASES, "all"] as const;
export type EventView = (typeof EVENT_VIEWS)[number];

const EVENT_SORTS = ["oldest", "newest"] as const;

export const eventFilters = z.object({
  view: z.enum(EVENT_VIEWS).default("unfinished"),
  /** A whole type, or a prefix that ends in `.*`. */
  type: z.string().max(255).optional(),
  /** Only events received at least this many seconds ago. */
  olderThanSeconds: z.number().int().min(0).max(315_360_000).optional(),
  /** Any id that belongs to an event: event, object, order, session, payment intent, charge, customer or user. */
  q: z.string().trim().max(300).optional(),
  sort: z.enum(EVENT_SORTS).default("oldest"),
});
export type EventFilters = z.infer<typeof eventFilters>;

export const ORDER_VIEWS = ["all", "not_exactly_one", ...ORDER_STATES] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];

export const orderFilters = z.object({
  view: z.enum(ORDER_VIEWS).default("all"),
  /** Any id that belongs to an order: order, session, payment intent, charge, customer or user. */
  q: z.string().trim().max(300).optional(),
});
export type OrderFilters = z.infer<typeof orderFilters>;

/** An opaque keyset cursor, as a list's previous page returned it. */
export const cursor = z.string().max(400).optional();

export const replayRequest = z.object({
  /** Made by the browser when the dialog opens, so that a double click or a retry is the same act. */
  requestId: z.uuid(),
  eventId: z.string().min(1).max(255),
  /** The attempt and phase the operator saw; a replay decided on a stale picture is refused. */
  expectedAttempt: z.number().int().min(0),
  expectedPhase: z.enum(EVENT_PHASES),
  /** Too short a reason is refused by the act itself and not as bad input, because the attempt is audited. */
  reason: z.string().trim().max(REASON_LENGTH_MAX),
});
export type ReplayRequest = z.infer<typeof replayRequest>;

const chaosPeriod = z.number().int().min(CHAOS_PERIOD_SECONDS.min).max(CHAOS_PERIOD_SECONDS.max);

/** What is to change, and nothing else, so that two people at the switches do not undo each other's. */
export const chaosChange = z.strictObject({
  switches: z.partialRecord(z.enum(CHAOS_SWITCHES), z.boolean()),
  workerSeconds: chaosPeriod.exactOptional(),
  databaseSeconds: chaosPeriod.exactOptional(),
});
export type ChaosChange = z.output<typeof chaosChange>;

export const operatorInvite = z.object({
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
  name: z.string().trim().min(1).max(100),
  role: z.enum(ROLES),
});

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;
export const invitationAcceptance = z.object({
  token: z.string().min(20).max(200),
  name: z.string().trim().min(1).max(100),
  /** Only the first admin types it: later invitations are bound to the address they were made for. */
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase())
    .optional(),
  password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX),
});
