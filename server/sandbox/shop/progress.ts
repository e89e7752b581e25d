import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/client.ts";
import { sandboxObjects } from "../../db/schema/sandbox-objects.ts";

const progressSchema = z.object({
  /** Purchases begun so far, which numbers the next one. */
  turns: z.int().min(0),
  /** Orders of the price without credits: each leaves a dead event, so they are few. */
  withoutCredits: z.int().min(0),
  /** Transfers the bank has not answered, oldest first. */
  transfers: z.array(z.object({ sessionId: z.string(), fails: z.boolean() })),
  /** Sessions nobody will pay, oldest first. */
  abandoned: z.array(z.string()),
});
export type ShopProgress = z.infer<typeof progressSchema>;

const NOTHING_SOLD: ShopProgress = { turns: 0, withoutCredits: 0, transfers: [], abandoned: [] };

/** Where the shop remembers how far it came. */
export interface ShopMemory {
  load: () => Promise<ShopProgress>;
  save: (progress: ShopProgress) => Promise<void>;
}

export function memoryOfThisProcess(): ShopMemory {
  let kept = NOTHING_SOLD;
  return {
    load: async () => structuredClone(kept),
    save: async (progress) => {
      kept = structuredClone(progress);
    },
  };
}

const KEY = { account: "", object: "sandbox.shop", id: "shop" };

/** Remembers beside the emulator's objects, so that the shop and its Stripe account are never of different ages. */
export function memoryInDatabase(db: Db): ShopMemory {
  return {
    load: async () => {
      const [row] = await db
        .select({ body: sandboxObjects.body })
        .from(sandboxObjects)
        .where(
          and(
            eq(sandboxObjects.account, KEY.account),
            eq(sandboxObjects.object, KEY.object),
            eq(sandboxObjects.id, KEY.id),
          ),
        );
      return row ? progressSchema.parse(row.body) : structuredClone(NOTHING_SOLD);
    },
    save: async (progress) => {
      await db
        .insert(sandboxObjects)
        .values({ ...KEY, body: progress })
        .onConflictDoUpdate({
          target: [sandboxObjects.account, sandboxObjects.object, sandboxObjects.id],
          set: { body: sql`excluded.body` },
        });
    },
  };
}
