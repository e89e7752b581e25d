import { STRIPE_API_VERSION } from "../../stripe/client.ts";
import type { StripeEvent } from "./objects.ts";
import type { Occurrence, Origin } from "./world.ts";

/**
 * The event that tells an occurrence. It holds a copy of the object, so that what happens to the object later does
 * not change what was said of it.
 */
export function buildEvent(
  occurrence: Occurrence,
  { id, created, origin, isExpected }: { id: string; created: number; origin: Origin; isExpected: boolean },
): StripeEvent {
  return {
    id,
    object: "event",
    ...(origin.account !== "" && { account: origin.account }),
    api_version: STRIPE_API_VERSION,
    created,
    data: {
      object: structuredClone(occurrence.object),
      ...(occurrence.previousAttributes && { previous_attributes: occurrence.previousAttributes }),
    },
    livemode: false,
    pending_webhooks: isExpected ? 1 : 0,
    request: { id: origin.requestId, idempotency_key: origin.idempotencyKey },
    type: occurrence.type,
  };
}
