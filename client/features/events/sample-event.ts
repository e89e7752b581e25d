import type { EventRow } from "#shared/desk-views.ts";

/** An event row as the server sends it, for tests to vary. */
export function sampleEvent(row: Partial<EventRow> = {}): EventRow {
  return {
    eventId: "evt_1SbKa2CZ6qsJgndJq9Xa",
    eventType: "checkout.session.completed",
    objectId: "cs_test_a1",
    orderId: "order_10482",
    account: "",
    status: "processing",
    phase: "queued",
    createdAt: new Date("2026-03-01T12:00:00Z"),
    processedAt: null,
    attempt: 0,
    failures: 0,
    claimedBy: null,
    takenAt: null,
    leaseUntil: null,
    dueAt: null,
    outcome: null,
    errorCode: null,
    error: null,
    ...row,
  };
}
