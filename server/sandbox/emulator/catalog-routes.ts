import { Router } from "express";
import { z } from "zod";
import { buildCoupon, buildCustomer, buildPrice, buildProduct } from "./build-catalog.ts";
import { accountOf, answerList, answerObject, originOf } from "./context.ts";
import { shown } from "./expand.ts";
import { checkAmount } from "./line-items.ts";
import type { Kind, Metadata, StripeKinds } from "./objects.ts";
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

type CatalogKind = "product" | "price" | "customer" | "coupon";

interface KindOfRoute<K extends CatalogKind> {
  kind: K;
  create: (given: unknown, context: { account: string; created: number }) => Promise<StripeKinds[K]>;
}

const productParameters = z.strictObject({
  active: tolerated,
  description: optionalText,
  expand,
  id: text.max(200).optional(),
  metadata,
  name: text,
  tax_code: tolerated,
});
const priceParameters = z.strictObject({
  active: tolerated,
  currency: currencyCode,
  expand,
  lookup_key: optionalText,
  metadata,
  nickname: optionalText,
  product: text.optional(),
  product_data: z.strictObject({ name: text, metadata }).optional(),
  tax_behavior: tolerated,
  unit_amount: wholeNumber,
});
const customerParameters = z.strictObject({
  description: optionalText,
  email: optionalText,
  expand,
  metadata,
  name: optionalText,
  phone: optionalText,
});
const couponParameters = z.strictObject({
  amount_off: wholeNumber.refine((amount) => amount > 0).optional(),
  currency: currencyCode.optional(),
  duration: z.literal("once").default("once"),
  expand,
  id: text.max(200).optional(),
  metadata,
  name: optionalText,
  percent_off: z
    .string()
    .transform(Number)
    .refine((percent) => percent > 0 && percent <= 100)
    .optional(),
});
/** What may change later: only what is told to people and to us, never an amount. */
const updateParameters = z.strictObject({
  active: tolerated,
  description: tolerated,
  expand,
  metadata,
  nickname: tolerated,
});

/** `/v1/products`, `/v1/prices`, `/v1/customers` and `/v1/coupons`: create, list, retrieve, change metadata. */
export function catalogRoutes(world: World): Router {
  const routes = Router();
  routes.use("/products", kindRoutes(world, { kind: "product", create: createProduct(world) }));
  routes.use("/prices", kindRoutes(world, { kind: "price", create: createPrice(world) }));
  routes.use("/customers", kindRoutes(world, { kind: "customer", create: createCustomer(world) }));
  routes.use("/coupons", kindRoutes(world, { kind: "coupon", create: createCoupon(world) }));
  return routes;
}

function kindRoutes<K extends CatalogKind>(world: World, { kind, create }: KindOfRoute<K>): Router {
  const routes = Router();
  const { store } = world;
  routes.post("/", async (request, response) => {
    const account = accountOf(request);
    const object = await create(request.body, { account, created: world.nowSeconds() });
    await store.put(kind, account, object);
    await world.emit([{ type: `${kind}.created`, object }], originOf(request, response));
    response.json(await shown(object, { store, account, expand: [] }));
  });
  routes.get("/", async (request, response) => {
    const given = readParameters(z.strictObject(page), request.query);
    const { limit, starting_after: startingAfter, ending_before: endingBefore } = given;
    const wanted = { account: accountOf(request), limit, startingAfter, endingBefore };
    await answerList(store, { kind, page: wanted, expand: given.expand, path: `/v1/${kind}s` }, response);
  });
  routes.get("/:id", async (request, response) => {
    const given = readParameters(z.strictObject({ expand }), request.query);
    await answerObject(world, { kind, id: request.params.id, request, response }, given.expand);
  });
  routes.post("/:id", async (request, response) => {
    const given = readParameters(updateParameters, request.body);
    const account = accountOf(request);
    const { id } = request.params;
    const changed = await world.inTurn(async () => {
      const before: (StripeKinds[K] & { metadata?: Metadata }) | null = await store.get(kind, {
        account,
        id,
      });
      if (!before) throw missing(kind, id);
      const after = { ...before, metadata: mergeMetadata(before.metadata ?? {}, given.metadata) };
      await store.put(kind, account, after);
      const previousAttributes = { metadata: before.metadata ?? {} };
      await world.emit(
        [{ type: `${kind}.updated`, object: after, previousAttributes }],
        originOf(request, response),
      );
      return after;
    });
    response.json(await shown(changed, { store, account, expand: given.expand }));
  });
  return routes;
}

function createProduct(world: World): KindOfRoute<"product">["create"] {
  return async (body, { account, created }) => {
    const given = readParameters(productParameters, body);
    const id = given.id ?? world.newId("prod", 14);
    await mustBeNew(world, "product", { account, id });
    return buildProduct({ id, created }, { ...given, metadata: mergeMetadata({}, given.metadata) });
  };
}

function createPrice(world: World): KindOfRoute<"price">["create"] {
  return async (body, { account, created }) => {
    const given = readParameters(priceParameters, body);
    checkAmount(given.unit_amount, { currency: given.currency, param: "unit_amount" });
    const { product: known, product_data: described } = given;
    if ((known === undefined) === (described === undefined)) {
      throw new StripeErrorAnswer("You must specify either `product` or `product_data`.", {
        param: "product",
      });
    }
    if (known !== undefined && !(await world.store.get("product", { account, id: known }))) {
      throw missing("product", known, "product");
    }
    let product = known ?? "";
    if (described) {
      const made = buildProduct(
        { id: world.newId("prod", 14), created },
        { name: described.name, metadata: mergeMetadata({}, described.metadata) },
      );
      await world.store.put("product", account, made);
      product = made.id;
    }
    return buildPrice(
      { id: world.newId("price"), created },
      {
        product,
        currency: given.currency,
        unitAmount: given.unit_amount,
        metadata: mergeMetadata({}, given.metadata),
        nickname: given.nickname,
        lookupKey: given.lookup_key,
      },
    );
  };
}

function createCustomer(world: World): KindOfRoute<"customer">["create"] {
  return async (body, { created }) => {
    const given = readParameters(customerParameters, body);
    return buildCustomer(
      { id: world.newId("cus", 14), created },
      { ...given, email: given.email ?? null, metadata: mergeMetadata({}, given.metadata) },
    );
  };
}

function createCoupon(world: World): KindOfRoute<"coupon">["create"] {
  return async (body, { account, created }) => {
    const given = readParameters(couponParameters, body);
    if ((given.percent_off === undefined) === (given.amount_off === undefined)) {
      throw new StripeErrorAnswer("You must pass either percent_off or amount_off.", {
        param: "percent_off",
      });
    }
    if (given.amount_off !== undefined && given.currency === undefined) {
      throw new StripeErrorAnswer("Missing required param: currency.", {
        code: "parameter_missing",
        param: "currency",
      });
    }
    const id = given.id ?? world.newId("co", 8).slice(3);
    await mustBeNew(world, "coupon", { account, id });
    return buildCoupon(
      { id, created },
      {
        percentOff: given.percent_off ?? null,
        amountOff: given.amount_off ?? null,
        currency: given.currency ?? null,
        name: given.name,
        metadata: mergeMetadata({}, given.metadata),
      },
    );
  };
}

async function mustBeNew(world: World, kind: Kind, key: { account: string; id: string }): Promise<void> {
  if ((await world.store.get(kind, key)) === null) return;
  throw new StripeErrorAnswer(`${kind} already exists.`, { code: "resource_already_exists", param: "id" });
}
