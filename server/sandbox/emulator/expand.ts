import { shownSession } from "./build-session.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Kind, LineItem, Session, StripeKinds } from "./objects.ts";
import { StripeErrorAnswer } from "./stripe-error.ts";

type Shown = Record<string, unknown>;

/** A list that is part of an object shows this many; the rest is a list request away. */
const NESTED_LIST_MAX = 10;
const DEPTH_MAX = 4;

export interface ExpandContext {
  store: ObjectStore;
  account: string;
  /** Paths such as `payment_intent.latest_charge`. */
  expand: readonly string[];
}

/** An object as the API answers it: without what Stripe does not show, and with what was asked to be expanded. */
export async function shown(object: StripeKinds[Kind], context: ExpandContext): Promise<Shown> {
  if (object.object !== "checkout.session") return await expanded({ ...object }, context);
  const session = object;
  const wantsItems = context.expand.some((path) => path.split(".")[0] === "line_items");
  const plain: Shown = { ...shownSession(session), ...session.sandbox.overrides };
  if (wantsItems) plain.line_items = await itemList(session, { ...context, limit: NESTED_LIST_MAX });
  // A test's override is the last word, over what expansion put there too.
  return { ...(await expanded(plain, context)), ...session.sandbox.overrides };
}

/** One page of a session's line items, oldest first, each with its price as it is now. */
export async function itemList(
  session: Session,
  options: { store: ObjectStore; account: string; limit: number; startingAfter?: string | undefined },
): Promise<Shown> {
  const items = session.sandbox.lineItems;
  const from = options.startingAfter ? items.findIndex((item) => item.id === options.startingAfter) + 1 : 0;
  const data: Shown[] = [];
  for (const item of items.slice(from, from + options.limit)) data.push(await shownItem(item, options));
  return {
    object: "list",
    data,
    has_more: items.length > from + options.limit,
    url: `/v1/checkout/sessions/${session.id}/line_items`,
  };
}

async function shownItem(
  item: LineItem,
  { store, account }: { store: ObjectStore; account: string },
): Promise<Shown> {
  return { ...item, price: await store.get("price", { account, id: item.price }) };
}

/** Expands paths in an answer that is put together already, such as a list. */
export async function expanded(answer: Shown, context: ExpandContext): Promise<Shown> {
  let result = answer;
  for (const path of context.expand) {
    const steps = path.split(".");
    if (steps.length > DEPTH_MAX) {
      throw new StripeErrorAnswer(
        `You cannot expand more than ${DEPTH_MAX} levels of a property. Property: ${path}`,
        {
          param: "expand",
        },
      );
    }
    result = await open(result, steps, context);
  }
  return result;
}

async function walk(value: unknown, steps: readonly string[], context: ExpandContext): Promise<unknown> {
  if (steps.length === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const walked: unknown[] = [];
    for (const item of value) walked.push(await walk(item, steps, context));
    return walked;
  }
  return await open({ ...value }, steps, context);
}

async function open(object: Shown, steps: readonly string[], context: ExpandContext): Promise<Shown> {
  const [step = "", ...rest] = steps;
  const child = object[step];
  if (child === undefined) throw cannotExpand(step);
  const opened = typeof child === "string" ? await find(child, step, context) : child;
  return { ...object, [step]: await walk(opened, rest, context) };
}

// What an id at a property refers to. The property's name says it, as in Stripe.
const KIND_AT: Record<string, Kind> = {
  customer: "customer",
  payment_intent: "payment_intent",
  latest_charge: "charge",
  product: "product",
  price: "price",
};

async function find(id: string, step: string, { store, account }: ExpandContext): Promise<unknown> {
  const kind = KIND_AT[step];
  if (!kind) throw cannotExpand(step);
  // A reference to something that is gone stays an id.
  return (await store.get(kind, { account, id })) ?? id;
}

function cannotExpand(property: string): StripeErrorAnswer {
  return new StripeErrorAnswer(`This property cannot be expanded (${property}).`, { param: "expand" });
}
