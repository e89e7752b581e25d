import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import type { DeliveryVerdict } from "#shared/event-status.ts";

/** What the code of receiving, workers and Stripe reads tells about itself. They know these words, not Prometheus. */
export interface Metrics {
  deliveries: { inc(verdict: DeliveryVerdict): void };
  /** By the code of the refusal; nothing from an unverified body becomes a label. */
  refusedSignatures: { inc(code: string): void };
  /** Writes of workers that had lost their lease, refused by the fence. */
  fencedWrites: { inc(): void };
  handlerSeconds: { observe(seconds: number, labels: { type: string; result: string }): void };
  stripeReadSeconds: { observe(seconds: number, labels: { route: string; result: string }): void };
}

/** The instruments of one process, and the registry that `/metrics` prints. */
export function createMetrics(): { metrics: Metrics; registry: Registry } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];

  const deliveries = new Counter({
    name: "einmal_deliveries_total",
    help: "Verified arrivals of Stripe events, by what became of them.",
    labelNames: ["verdict"],
    registers,
  });
  const refusedSignatures = new Counter({
    name: "einmal_refused_signatures_total",
    help: "Arrivals whose signature was missing, wrong, too old or from the future.",
    labelNames: ["reason"],
    registers,
  });
  const fencedWrites = new Counter({
    name: "einmal_fenced_writes_total",
    help: "Late writes of workers that had lost their lease. They changed nothing.",
    registers,
  });
  const handlerSeconds = new Histogram({
    name: "einmal_handler_duration_seconds",
    help: "One attempt at an event, from its start to its settling.",
    labelNames: ["type", "result"],
    // The longest attempt ends before its lease does: 60 s unless HANDLER_BUDGET_SECONDS says otherwise.
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const stripeReadSeconds = new Histogram({
    name: "einmal_stripe_read_duration_seconds",
    help: "One read from Stripe, without the wait for the rate limit.",
    labelNames: ["route", "result"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });

  return {
    registry,
    metrics: {
      deliveries: { inc: (verdict) => deliveries.inc({ verdict }) },
      refusedSignatures: { inc: (code) => refusedSignatures.inc({ reason: code }) },
      fencedWrites: { inc: () => fencedWrites.inc() },
      handlerSeconds: { observe: (seconds, labels) => handlerSeconds.observe(labels, seconds) },
      stripeReadSeconds: { observe: (seconds, labels) => stripeReadSeconds.observe(labels, seconds) },
    },
  };
}
