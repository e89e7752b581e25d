import type Stripe from "stripe";
import { z } from "zod";
import type { Db } from "../db/client.ts";
import { STRIPE_CALL_SECONDS_MAX } from "./client.ts";
import { DeadlineExceeded, UnreadableAnswer } from "./errors.ts";
import { takeStripeTurn } from "./rate-limit.ts";

/*
 * The session as we read it: only what a decision needs, and every enum open, because Stripe adds values at any
 * version and a new one must neither crash nor be taken for "paid".
 */
const minorUnits = z.int().transform((amount) => BigInt(amount));
const metadata = z.record(z.string(), z.string()).nullish();
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)]);

const price = z.object({
  id: z.string(),
  metadata,
  // A deleted product comes without metadata.
  product: z.union([z.string().transform(() => null), z.object({ metadata })]).nullish(),
});
const lineItem = z.object({ id: z.string(), quantity: z.int().min(0).nullish(), price: price.nullish() });
const lineItems = z.object({ data: z.array(lineItem), has_more: z.boolean() });
const charge = z.object({ id: z.string(), created: z.int(), paid: z.boolean().nullish() });
const paymentIntent = z.object({
  id: z.string(),
  status: z.string(),
  amount: minorUnits.nullish(),
  amount_received: minorUnits.nullish(),
  currency: z.string().nullish(),
  latest_charge: z.union([z.string().transform((id) => ({ id, created: null })), charge]).nullish(),
});
const session = z.object({
  id: z.string(),
  mode: z.string().nullish(),
  status: z.string().nullish(),
  payment_status: z.string(),
  amount_subtotal: minorUnits.nullish(),
  amount_total: minorUnits.nullish(),
  currency: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  customer: idOf.nullish(),
  metadata,
  payment_link: idOf.nullish(),
  payment_intent: paymentIntent.nullish(),
  presentment_details: z
    .object({ presentment_amount: minorUnits, presentment_currency: z.string() })
    .nullish(),
  line_items: lineItems.nullish(),
});

/** A session with all its line items in one list. */
export interface CheckoutSession extends Omit<z.output<typeof session>, "line_items"> {
  lineItems: LineItem[];
}
export type LineItem = z.output<typeof lineItem>;

const SESSION_ROUTE = "GET /v1/checkout/sessions/:id";
const LINE_ITEMS_ROUTE = "GET /v1/checkout/sessions/:id/line_items";
/** Stripe allows 100 a page. More pages than this is no cart. */
const LINE_ITEM_PAGES_MAX = 20;

export interface StripeReader {
  stripe: Stripe;
  db: Db;
  readsPerSecond: number;
  onRead: (seconds: number, labels: { route: string; result: "ok" | "failed" }) => void;
}

/**
 * Reads a Checkout Session as it is now, with its payment and all its line items, in the connected account it
 * belongs to. Throws the Stripe client's errors, DeadlineExceeded, or UnreadableAnswer.
 */
export async function readCheckoutSession(
  reader: StripeReader,
  { sessionId, account, deadline }: { sessionId: string; account: string; deadline: Date },
): Promise<CheckoutSession> {
  const answer = await readOnce(reader, { route: SESSION_ROUTE, deadline }, (timeout) =>
    reader.stripe.checkout.sessions.retrieve(
      sessionId,
      { expand: ["payment_intent.latest_charge", "line_items.data.price.product"] },
      { timeout, maxNetworkRetries: 0, ...(account !== "" && { stripeAccount: account }) },
    ),
  );
  const { line_items: firstPage, ...read } = parsed(session, answer, `session ${sessionId}`);
  // Sessions that set up or subscribe may have none; a payment without items is half an answer.
  if (!firstPage && read.mode === "payment")
    throw new UnreadableAnswer(`Session ${sessionId} came without line items.`);
  const items = [...(firstPage?.data ?? [])];
  let hasMore = firstPage?.has_more ?? false;
  // The session holds only the first ten items.
  for (let pages = 0; hasMore; pages++) {
    if (pages >= LINE_ITEM_PAGES_MAX)
      throw new UnreadableAnswer(`Session ${sessionId} has too many line items.`);
    const last = items.at(-1);
    const more = await readOnce(reader, { route: LINE_ITEMS_ROUTE, deadline }, (timeout) =>
      reader.stripe.checkout.sessions.listLineItems(
        sessionId,
        { limit: 100, expand: ["data.price.product"], ...(last && { starting_after: last.id }) },
        { timeout, maxNetworkRetries: 0, ...(account !== "" && { stripeAccount: account }) },
      ),
    );
    const page = parsed(lineItems, more, `line items of session ${sessionId}`);
    items.push(...page.data);
    hasMore = page.has_more;
  }
  return { ...read, lineItems: items };
}

/** One call within the deadline and the shared rate limit, measured. */
async function readOnce<Answer>(
  reader: StripeReader,
  { route, deadline }: { route: string; deadline: Date },
  call: (timeoutMs: number) => Promise<Answer>,
): Promise<Answer> {
  await takeStripeTurn({ db: reader.db, perSecond: reader.readsPerSecond }, { route, deadline });
  const leftMs = deadline.getTime() - Date.now();
  if (leftMs <= 0) throw new DeadlineExceeded(`No time was left to call ${route}.`);
  const startedMs = performance.now();
  try {
    const answer = await call(Math.min(leftMs, STRIPE_CALL_SECONDS_MAX * 1000));
    reader.onRead((performance.now() - startedMs) / 1000, { route, result: "ok" });
    return answer;
  } catch (error) {
    reader.onRead((performance.now() - startedMs) / 1000, { route, result: "failed" });
    throw error;
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  // Paths and expectations only: the values may be a person's.
  const faults = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.code}`).join("; ");
  throw new UnreadableAnswer(`The ${what} lacks what is needed (${faults}).`);
}
