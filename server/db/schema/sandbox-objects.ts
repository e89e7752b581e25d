import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/**
 * What the sandbox's Stripe emulator knows: sessions, payments, prices, customers and events, so that a second
 * start finds what unfinished events ask for. Written by server/sandbox only; empty on every other installation.
 * Unlike Stripe's raw bytes these bodies are our own making, so jsonb holds them.
 */
export const sandboxObjects = pgTable(
  "sandbox_objects",
  {
    id: text().notNull(), // As Stripe would name it: cs_test_..., pi_..., evt_...
    account: text().notNull().default(""), // The connected account it belongs to, '' for the platform's own.
    object: text().notNull(), // Its kind in Stripe's words.
    body: jsonb().notNull(),
    sequence: bigint({ mode: "bigint" }).notNull().generatedAlwaysAsIdentity(), // Lists go by making, newest first.
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    // A shop may name a product and a coupon alike.
    primaryKey({ columns: [t.account, t.object, t.id] }),
    // Serves the lists of one kind.
    index("sandbox_objects_by_kind").on(t.account, t.object, t.sequence),
    // Serves the start: what an earlier process could not deliver.
    index("sandbox_events_undelivered")
      .on(t.sequence)
      .where(sql`${t.object} = 'event' and (${t.body} ->> 'pending_webhooks')::int > 0`),
  ],
);
