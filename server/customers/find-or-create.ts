import { and, eq } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { customers } from "../db/schema/customers.ts";

/**
 * The id of the customer a reference names, made if it is new. The caller holds an order's lock: customers come
 * after orders in the lock order, so two orders of one new customer wait for each other here and never in a circle.
 */
export async function findOrCreateCustomer(
  tx: Tx,
  customer: { account: string; kind: "user" | "stripe_customer" | "guest"; ref: string },
): Promise<bigint> {
  const isIt = and(
    eq(customers.ref, customer.ref),
    eq(customers.kind, customer.kind),
    eq(customers.account, customer.account),
  );
  const [known] = await tx.select({ customerId: customers.customerId }).from(customers).where(isIt);
  if (known) return known.customerId;
  const [made] = await tx
    .insert(customers)
    .values(customer)
    .onConflictDoNothing()
    .returning({ customerId: customers.customerId });
  if (made) return made.customerId;
  // Somebody else made it between the two statements; a new statement sees it.
  const [theirs] = await tx.select({ customerId: customers.customerId }).from(customers).where(isIt);
  if (!theirs) throw new Error("Bug! A customer that exists could not be found.");
  return theirs.customerId;
}
