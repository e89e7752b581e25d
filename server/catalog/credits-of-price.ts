import { inArray } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { catalogItems } from "../db/schema/catalog-items.ts";

/** More credits than this in one price is a slip of the pen. */
const CREDITS_MAX = 1_000_000_000_000n;

type Metadata = Record<string, string> | null | undefined;

/** What the catalog says of these prices. Prices it does not know are absent. */
export async function readCatalog(db: Db, priceIds: readonly string[]): Promise<Map<string, bigint>> {
  if (priceIds.length === 0) return new Map();
  const rows = await db
    .select({ priceId: catalogItems.priceId, credits: catalogItems.credits })
    .from(catalogItems)
    .where(inArray(catalogItems.priceId, [...priceIds]));
  return new Map(rows.map((row) => [row.priceId, row.credits]));
}

/**
 * Credits of one price: the catalog's word, else `credits` in the price's metadata, else in its product's. Null if
 * nobody says anything, `unreadable` if what is said is no whole number: a guess would be money, and so would be to
 * leave out what somebody meant to sell.
 */
export function creditsOfPrice(
  catalogCredits: bigint | undefined,
  { price, product }: { price: Metadata; product: Metadata },
): bigint | "unreadable" | null {
  if (catalogCredits !== undefined) return catalogCredits;
  const stated = (price?.credits ?? product?.credits)?.trim();
  if (stated === undefined) return null;
  if (!/^[0-9]{1,13}$/.test(stated)) return "unreadable";
  const credits = BigInt(stated);
  return credits <= CREDITS_MAX ? credits : "unreadable";
}
