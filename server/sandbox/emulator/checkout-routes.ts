import { Router } from "express";
import { z } from "zod";
import { expireSession, sessionOrFail } from "./checkout.ts";
import { accountOf, answerList, answerObject, originOf } from "./context.ts";
import { createSession, type CreateSessionOptions, type LineItemGiven } from "./create-session.ts";
import { expanded, itemList, shown } from "./expand.ts";
import {
  currencyCode,
  expand,
  mergeMetadata,
  metadata,
  optionalText,
  page,
  readParameters,
  text,
  tolerated,
  wholeNumber,
} from "./parameters.ts";
import { missing, StripeErrorAnswer } from "./stripe-error.ts";
import type { World } from "./world.ts";

const quantity = wholeNumber.refine((count) => count >= 1 && count <= 999_999).default(1);
const lineItem = z.strictObject({
  adjustable_quantity: tolerated,
  price: text.optional(),
  price_data: z
    .strictObject({
      currency: currencyCode,
      product: text.optional(),
      product_data: z
        .strictObject({ name: text, description: optionalText, images: tolerated, metadata })
        .optional(),
      tax_behavior: tolerated,
      unit_amount: wholeNumber,
    })
    .optional(),
  quantity,
});
const createParameters = z.strictObject({
  adaptive_pricing: tolerated,
  allow_promotion_codes: tolerated,
  allowed_payment_method_types: tolerated,
  automatic_tax: tolerated,
  billing_address_collection: tolerated,
  cancel_url: optionalText,
  client_reference_id: z.union([z.literal("").transform(() => undefined), text.max(200)]).optional(),
  custom_text: tolerated,
  customer: optionalText,
  customer_creation: z.enum(["always", "if_required"]).optional(),
  customer_email: optionalText,
  customer_update: tolerated,
  discounts: z
    .array(z.strictObject({ coupon: text }))
    .max(1)
    .default([]),
  expand,
  expires_at: wholeNumber.optional(),
  invoice_creation: tolerated,
  line_items: z.array(lineItem).min(1),
  locale: tolerated,
  metadata,
  mode: z.literal("payment"),
  payment_intent_data: z.strictObject({ description: tolerated, metadata }).optional(),
  payment_method_options: tolerated,
  return_url: tolerated,
  submit_type: tolerated,
  success_url: optionalText,
  ui_mode: tolerated,
});
const listParameters = z.strictObject({
  ...page,
  customer: optionalText,
  payment_intent: optionalText,
  status: z.enum(["open", "complete", "expired"]).optional(),
});

/** `/v1/checkout/sessions` and what lies under it. */
export function checkoutRoutes(
  world: World,
  { payAddress }: { payAddress: (sessionId: string) => string },
): Router {
  const routes = Router();
  routes.post("/", async (request, response) => {
    const given = readParameters(createParameters, request.body);
    const account = accountOf(request);
    const session = await createSession(world, { ...sessionOptions(given, account), payAddress });
    response.json(await shown(session, { store: world.store, account, expand: given.expand }));
  });

  routes.get("/", async (request, response) => {
    const given = readParameters(listParameters, request.query);
    const { customer, payment_intent, status } = given;
    const where = {
      ...(customer && { customer }),
      ...(payment_intent && { payment_intent }),
      ...(status && { status }),
    };
    const cursors = { startingAfter: given.starting_after, endingBefore: given.ending_before };
    await answerList(
      world.store,
      {
        kind: "checkout.session",
        page: { account: accountOf(request), where, limit: given.limit, ...cursors },
        expand: given.expand,
        path: "/v1/checkout/sessions",
      },
      response,
    );
  });

  routes.get("/:id", async (request, response) => {
    const given = readParameters(z.strictObject({ expand }), request.query);
    const { id } = request.params;
    await answerObject(world, { kind: "checkout.session", id, request, response }, given.expand);
  });

  routes.get("/:id/line_items", async (request, response) => {
    const given = readParameters(z.strictObject(page), request.query);
    const account = accountOf(request);
    const session = await sessionOrFail(world, request.params.id, account);
    const after = given.starting_after;
    if (after && !session.sandbox.lineItems.some((item) => item.id === after)) {
      throw missing("item", after, "starting_after");
    }
    const list = await itemList(session, {
      store: world.store,
      account,
      limit: given.limit,
      startingAfter: after,
    });
    response.json(await expanded(list, { store: world.store, account, expand: given.expand }));
  });

  routes.post("/:id/expire", async (request, response) => {
    const given = readParameters(z.strictObject({ expand }), request.body);
    const { id } = request.params;
    const session = await expireSession(world, { sessionId: id }, originOf(request, response));
    response.json(
      await shown(session, { store: world.store, account: accountOf(request), expand: given.expand }),
    );
  });
  return routes;
}

function sessionOptions(
  given: z.output<typeof createParameters>,
  account: string,
): Omit<CreateSessionOptions, "payAddress"> {
  return {
    account,
    lineItems: given.line_items.map((item, index) => itemGiven(item, index)),
    metadata: mergeMetadata({}, given.metadata),
    paymentIntentMetadata: mergeMetadata({}, given.payment_intent_data?.metadata ?? {}),
    customer: given.customer ?? null,
    customerCreation: given.customer_creation ?? null,
    customerEmail: given.customer_email ?? null,
    clientReferenceId: given.client_reference_id ?? null,
    couponId: given.discounts[0]?.coupon ?? null,
    successUrl: given.success_url ?? null,
    cancelUrl: given.cancel_url ?? null,
    expiresAt: given.expires_at ?? null,
  };
}

function itemGiven(item: z.output<typeof lineItem>, index: number): LineItemGiven {
  const param = `line_items[${index}]`;
  const { price, price_data: made, quantity: count } = item;
  if (price !== undefined && made === undefined) return { price, quantity: count };
  if (made === undefined || price !== undefined) {
    throw new StripeErrorAnswer("You must specify either `price` or `price_data`.", { param });
  }
  const money = { currency: made.currency, unitAmount: made.unit_amount };
  const { product, product_data: described } = made;
  if (product !== undefined) return { quantity: count, priceData: { ...money, product } };
  if (described === undefined) {
    throw new StripeErrorAnswer("You must specify either `product` or `product_data`.", {
      param: `${param}[price_data]`,
    });
  }
  const productMetadata = mergeMetadata({}, described.metadata);
  return { quantity: count, priceData: { ...money, productName: described.name, productMetadata } };
}
