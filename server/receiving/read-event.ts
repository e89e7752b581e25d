import { z } from "zod";
import type { RecordedReason, SettledOutcome } from "#shared/outcomes.ts";
import { isHandledType, isOneShotType } from "../claims/event-types.ts";
import { isStorable } from "../db/storable-text.ts";

/** Ids of more bytes than this are nobody's: Stripe documents 255 characters. They would also not fit an index entry. */
const ID_BYTES_MAX = 1000;

export interface ReadOptions {
  /** Whether this installation takes live events. Events of the other mode never have an effect. */
  livemode: boolean;
  /** Connected accounts served here. The account's own events, which name none, always are. */
  accounts: readonly string[];
}

/** A verified body that is an event, as the claim needs it. */
export interface ReadableEvent {
  kind: "event";
  eventId: string;
  eventType: string;
  objectId: string;
  livemode: boolean;
  account: string;
  apiVersion: string | null;
  occurredAt: Date | null;
  once: boolean;
  /** What the payload says of the order: where to look first, never the truth. */
  orderIdHint: string | null;
  /** Set when nothing will act on it: it is stored as processed with this outcome. */
  settled: {
    outcome: Extract<SettledOutcome, "recorded" | "malformed">;
    reason: RecordedReason | null;
  } | null;
}

export type ReadEvent = ReadableEvent | { kind: "unreadable" };

const looseRecord = z.record(z.string(), z.unknown());
const envelope = z.object({
  id: z.string(),
  type: z.string(),
  object: z.enum(["event", "v2.core.event"]),
  livemode: z.unknown().optional(),
  account: z.unknown().optional(),
  context: z.unknown().optional(),
  api_version: z.unknown().optional(),
  created: z.unknown().optional(),
  data: z.unknown().optional(),
  related_object: z.unknown().optional(),
});
type Envelope = z.infer<typeof envelope>;

/**
 * Reads a verified body far enough to claim it. Never throws: what is no event comes back as `unreadable`, and an
 * event that nothing can act on comes back settled, so that Stripe is never made to retry for three days.
 */
export function readEvent(body: Uint8Array, options: ReadOptions): ReadEvent {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) return { kind: "unreadable" };
  const event = parsed.data;
  // An id that PostgreSQL cannot hold leaves nothing to claim by.
  if (!isUsableId(event.id) || !isUsableId(event.type)) return { kind: "unreadable" };

  const isThin = event.object === "v2.core.event";
  const eventType = isThin ? typeOfThin(event.type) : event.type;
  const object = isThin ? event.related_object : looseRecord.safeParse(event.data).data?.object;
  const givenObjectId = looseRecord.safeParse(object).data?.id;
  const objectId = typeof givenObjectId === "string" && isUsableId(givenObjectId) ? givenObjectId : null;
  const account = accountOf(event, isThin);
  const livemode = event.livemode === true;

  return {
    kind: "event",
    eventId: event.id,
    eventType,
    objectId: objectId ?? event.id,
    livemode,
    account: account ?? "",
    apiVersion:
      typeof event.api_version === "string" && isUsableId(event.api_version) ? event.api_version : null,
    occurredAt: instantOf(event.created),
    // Without an object there is no action that a second event could repeat.
    once: objectId !== null && isOneShotType(eventType),
    orderIdHint: orderIdHintOf(object, { eventType, objectId }),
    settled: settledAtOnce({ eventType, livemode, account, objectId, givenObjectId }, options),
  };
}

function settledAtOnce(
  event: {
    eventType: string;
    livemode: boolean;
    account: string | null;
    objectId: string | null;
    givenObjectId: unknown;
  },
  { livemode, accounts }: ReadOptions,
): ReadableEvent["settled"] {
  const isUnusable = typeof event.givenObjectId === "string" && event.objectId === null;
  const isHandled = isHandledType(event.eventType);
  if (isUnusable || event.account === null || (isHandled && event.objectId === null)) {
    return { outcome: "malformed", reason: null };
  }
  if (event.livemode !== livemode) return { outcome: "recorded", reason: "wrong_mode" };
  if (event.account !== "" && !accounts.includes(event.account)) {
    return { outcome: "recorded", reason: "account_not_served" };
  }
  return isHandled ? null : { outcome: "recorded", reason: null };
}

function parseJson(body: Uint8Array): unknown {
  try {
    // The same decoder the SDK hashes with: it drops a byte order mark.
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** A thin event of a type we handle is claimed as that type, so that it is the snapshot event's twin. */
function typeOfThin(type: string): string {
  const plain = type.startsWith("v1.") ? type.slice("v1.".length) : type;
  return isHandledType(plain) ? plain : type;
}

/** The connected account, '' for our own, null for one that cannot be stored. Thin events name it in `context`. */
function accountOf(event: Envelope, isThin: boolean): string | null {
  const given = isThin ? event.context : event.account;
  if (typeof given !== "string" || given === "") return "";
  // A context may be a path from the platform down to the account.
  const account = isThin ? (given.split("/").at(-1) ?? "") : given;
  return isUsableId(account) ? account : null;
}

function instantOf(created: unknown): Date | null {
  // Snapshot events count seconds; thin events carry an ISO instant.
  const instant =
    typeof created === "number"
      ? new Date(created * 1000)
      : typeof created === "string"
        ? new Date(created)
        : null;
  if (instant === null || Number.isNaN(instant.getTime())) return null;
  // Outside this range PostgreSQL and JavaScript no longer agree on what the year is called.
  return instant.getUTCFullYear() >= 1970 && instant.getUTCFullYear() <= 9999 ? instant : null;
}

function orderIdHintOf(
  object: unknown,
  { eventType, objectId }: { eventType: string; objectId: string | null },
): string | null {
  const metadata = looseRecord.safeParse(looseRecord.safeParse(object).data?.metadata).data;
  const orderId = metadata?.order_id;
  if (typeof orderId === "string" && isUsableId(orderId)) return orderId;
  return isHandledType(eventType) ? objectId : null;
}

/** Text that PostgreSQL can hold, unchanged, in an index: no NUL, no half of a surrogate pair, not too long. */
function isUsableId(text: string): boolean {
  return text !== "" && Buffer.byteLength(text) <= ID_BYTES_MAX && isStorable(text);
}
