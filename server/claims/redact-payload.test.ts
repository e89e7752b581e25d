import { describe, expect, test } from "vitest";
import type { PayloadNode } from "#shared/desk-views.ts";
import { ROLES, type Role } from "#shared/roles.ts";
import { redactPayload } from "./redact-payload.ts";

const event = {
  id: "evt_1",
  object: "event",
  api_version: "2026-11-18.dahlia",
  created: 1_790_000_000,
  livemode: true,
  type: "checkout.session.completed",
  request: { id: "req_1", idempotency_key: "checkout-jane.doe@shop.test" },
  data: {
    object: {
      id: "cs_live_1",
      object: "checkout.session",
      amount_total: 1900,
      currency: "eur",
      payment_status: "paid",
      client_reference_id: "jane.doe@shop.test",
      client_secret: "cs_live_1_secret_abc",
      url: "https://checkout.stripe.com/c/pay/cs_live_1#fragment",
      customer: "cus_1",
      customer_email: "jane.doe@shop.test",
      customer_details: {
        email: "jane.doe@shop.test",
        name: "Jane Doe",
        phone: "+49 30 1234567",
        address: { line1: "Unter den Linden 1", city: "Berlin", country: "DE" },
      },
      collected_information: {
        shipping_details: { name: "Jane Doe", address: { line1: "Unter den Linden 1" } },
      },
      custom_fields: [{ key: "nickname", text: { value: "Jane Doe" } }],
      metadata: {
        order_id: "order_1",
        user_id: "jane.doe@shop.test",
        credits: "100",
        note: "call Jane Doe",
        object: { order_id: "Jane Doe" },
      },
      payment_intent: {
        id: "pi_1",
        amount: 1900,
        amount_received: 1900,
        receipt_email: "jane.doe@shop.test",
        shipping: { name: "Jane Doe", phone: "+49 30 1234567" },
        latest_charge: {
          id: "ch_1",
          billing_details: { email: "jane.doe@shop.test", name: "Jane Doe", address: { city: "Berlin" } },
          receipt_url: "https://pay.stripe.com/receipts/secret",
          payment_method_details: { type: "card", card: { last4: "4242", fingerprint: "Xt5EWLLDS7FJjR1c" } },
        },
      },
      total_details: { amount_discount: 0, amount_tax: 303, breakdown: { taxes: [{ amount: 303 }] } },
      line_items: {
        data: [{ id: "li_1", quantity: 2, description: "For Jane Doe", price: { id: "price_1" } }],
      },
    },
  },
};
const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

/** What is visible, as plain JSON; hidden leaves are left out. */
function visible(node: PayloadNode | null): unknown {
  switch (node?.kind) {
    case undefined:
      return null;
    case "hidden":
      return undefined;
    case "value":
      return node.value;
    case "list":
      return node.items.map(visible);
    case "object":
      return Object.fromEntries(node.entries.map(([key, inner]) => [key, visible(inner)]));
  }
}
const shown = (value: unknown, role: Role = "support") => visible(redactPayload(bytes(value), role));

describe("a payload on the desk", () => {
  test("keeps what explains an event: ids, type, state and amounts", () => {
    expect(shown(event)).toMatchObject({
      id: "evt_1",
      type: "checkout.session.completed",
      created: 1_790_000_000,
      livemode: true,
      data: {
        object: {
          id: "cs_live_1",
          amount_total: 1900,
          currency: "eur",
          payment_status: "paid",
          customer: "cus_1",
          metadata: { order_id: "order_1", credits: "100" },
          payment_intent: { id: "pi_1", amount: 1900, latest_charge: { id: "ch_1" } },
          line_items: { data: [{ id: "li_1", quantity: 2, price: { id: "price_1" } }] },
        },
      },
    });
  });

  test.for(ROLES)("shows %s nobody's name, addresses, phone, card or secret", (role) => {
    const text = JSON.stringify(redactPayload(bytes(event), role));
    for (const private_ of ["jane", "doe", "@", "Linden", "Berlin", '"DE"', "1234567", "4242", "Xt5EW"]) {
      expect(text.toLowerCase(), private_).not.toContain(private_.toLowerCase());
    }
    expect(text).not.toMatch(/secret_|https?:/);
  });

  test("keeps the place of what it hides", () => {
    const tree = redactPayload(
      bytes({ data: { object: { customer_email: "x@y.test", customer_details: {} } } }),
      "ops",
    );
    expect(JSON.stringify(tree)).toBe(
      JSON.stringify({
        kind: "object",
        entries: [
          [
            "data",
            {
              kind: "object",
              entries: [
                [
                  "object",
                  {
                    kind: "object",
                    entries: [
                      ["customer_email", { kind: "hidden" }],
                      ["customer_details", { kind: "hidden" }],
                    ],
                  },
                ],
              ],
            },
          ],
        ],
      }),
    );
  });

  test("hides a field that nobody has thought about yet", () => {
    expect(shown({ data: { object: { id: "cs_1", loyalty_card: "1234", buyer: { id: "x" } } } })).toEqual({
      data: { object: { id: "cs_1" } },
    });
  });

  test.for([
    ["support", false],
    ["ops", false],
    ["finance", true],
    ["admin", true],
  ] as const)("shows %s how an amount is made up: %s", ([role, seesIt]) => {
    const text = JSON.stringify(shown(event, role));
    expect(text.includes('"amount_tax":303')).toBe(seesIt);
    expect(text.includes('"amount_received":1900')).toBe(seesIt);
    expect(text).toContain('"amount_total":1900');
  });

  test("hides names of fields that a shop could have made of personal details", () => {
    expect(shown({ data: { object: { metadata: { "jane.doe@shop.test": "1", order_id: "o_1" } } } })).toEqual(
      {
        data: { object: { metadata: { "…": undefined, order_id: "o_1" } } },
      },
    );
  });

  test("shows long numbers exactly", () => {
    const body = '{"data":{"object":{"amount":9007199254740993,"id":"in \\"12345678901234567890\\" text"}}}';
    expect(shown(body)).toEqual({
      data: { object: { amount: "9007199254740993", id: 'in "12345678901234567890" text' } },
    });
  });

  test.for(["", "{", "\u0000", "undefined"])("says of %j that it is no JSON", (body) => {
    expect(redactPayload(bytes(body), "admin")).toBeNull();
  });

  test.for(["null", "[]", "7", '"text"'])("draws %s without a fault", (body) => {
    expect(redactPayload(bytes(body), "admin")).not.toBeNull();
  });

  test("is not brought down by depth", () => {
    const deep = `${'{"data":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    expect(redactPayload(bytes(deep), "admin")).not.toBeNull();
  });
});
