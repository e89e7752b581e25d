import { isStorable } from "../db/storable-text.ts";
import type { CheckoutSession } from "../stripe/checkout-session.ts";

export interface Beneficiary {
  kind: "user" | "stripe_customer" | "guest";
  ref: string;
}

/** The order a session belongs to: what the shop wrote into its metadata, else the session itself. */
export function orderIdOf(session: Pick<CheckoutSession, "id" | "metadata">): string {
  return usable(session.metadata?.order_id) ?? session.id;
}

/** Whether the shop named an order: then the session is ours even if no price says what it is worth. */
export function namesOrder(session: Pick<CheckoutSession, "metadata">): boolean {
  return usable(session.metadata?.order_id) !== null;
}

/**
 * Who is credited. Buyers can set client_reference_id through a Payment Link's address, so there it is nobody's
 * word; and some shops put the order's id in it, which is no person. Names, e-mails and amounts identify nobody.
 */
export function beneficiaryOf(
  session: Pick<CheckoutSession, "id" | "metadata" | "client_reference_id" | "payment_link" | "customer">,
): Beneficiary {
  const orderId = orderIdOf(session);
  const userId = usable(session.metadata?.user_id);
  if (userId !== null) return { kind: "user", ref: userId };
  const reference = usable(session.client_reference_id);
  if (reference !== null && !session.payment_link && reference !== orderId)
    return { kind: "user", ref: reference };
  const customer = usable(session.customer);
  if (customer !== null) return { kind: "stripe_customer", ref: customer };
  return { kind: "guest", ref: orderId };
}

/** Text that names something and that PostgreSQL can keep unchanged; anything else is as good as absent. */
function usable(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const trimmed = text.trim();
  return trimmed !== "" && isStorable(trimmed) ? trimmed : null;
}
