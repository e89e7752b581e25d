import type { EffectKind } from "#shared/order-state.ts";
import type { Tx } from "../db/client.ts";
import { effects } from "../db/schema/effects.ts";

/**
 * Brings about a business operation of an order, once and for ever: the unique key on (order, kind, subject) decides,
 * not the caller. Returns the new effect's id, or null if it exists already, and then nothing was written.
 */
export async function createEffect(
  tx: Tx,
  effect: { orderId: string; kind: EffectKind; subject: string; eventId: string; attempt: number },
): Promise<string | null> {
  const [made] = await tx
    .insert(effects)
    .values(effect)
    .onConflictDoNothing()
    .returning({ effectId: effects.effectId });
  return made?.effectId ?? null;
}
