import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_PHASES } from "#shared/event-status.ts";
import { ORDER_STATES } from "#shared/order-state.ts";
import { ORDER_TRANSITIONS } from "../orders/transitions.ts";
import { packageRoot } from "../package-root.ts";
import { type ClaimDecision, type ClaimRow, type ClaimTrigger, decideClaim } from "./rules.ts";

const page = readFileSync(join(packageRoot(), "docs/state-machine.md"), "utf8");
const now = new Date("2026-12-01T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const ATTEMPTS_MAX = 8;

const queued: ClaimRow = {
  status: "processing",
  isRecordedButHandled: false,
  isNotOurs: false,
  dueAt: minutes(-1),
  claimToken: null,
  claimedBy: null,
  leaseUntil: null,
  failures: 0,
  rearmedAt: null,
};
const held = { ...queued, claimToken: "token", claimedBy: "w-1", leaseUntil: minutes(1), dueAt: minutes(1) };
const stale = { ...held, leaseUntil: minutes(-1), dueAt: minutes(-1) };
const ROWS: Record<string, ClaimRow | null> = {
  none: null,
  queued,
  held,
  stale,
  "stale, takeover is manual": { ...stale, dueAt: null },
  "stale for the last time": { ...stale, failures: ATTEMPTS_MAX - 1 },
  retrying: { ...queued, dueAt: minutes(1), failures: 1 },
  dead: { ...queued, status: "dead" },
  "dead, re-armed within the hour": { ...queued, status: "dead", rearmedAt: minutes(-59) },
  processed: { ...queued, status: "processed" },
  "not ours": { ...queued, status: "processed", isNotOurs: true },
  "recorded, handled now": { ...queued, status: "processed", isRecordedButHandled: true },
};
const TRIGGERS: ClaimTrigger[] = ["delivery", "twin", "worker", "replay", "backfill"];

function inWords(row: ClaimRow | null, decision: ClaimDecision): string {
  if (row === null && decision.act === "leave") return "-";
  if (decision.act === "note")
    return decision.then === "nothing" ? decision.verdict : `${decision.verdict}, ${decision.then}`;
  if (decision.act === "take") return decision.takesOver ? "take over" : "take";
  return decision.act;
}

function tableAfter(heading: string): string[][] {
  const lines = page.slice(page.indexOf(heading)).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const rest = lines.slice(first);
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith("|")),
  );
  return rows.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function edgesAfter(heading: string): string[] {
  const block = page.slice(page.indexOf(heading)).split("```")[1] ?? "";
  return [...block.matchAll(/^\s+(\S+) --> ([^\s:]+)/gm)]
    .map(([, from, to]) => `${from} -> ${to}`)
    .toSorted();
}

test("the page's table of claim rules is what decideClaim answers", () => {
  const context = { now, attemptsMax: ATTEMPTS_MAX };
  const decided = Object.entries(ROWS).map(([name, row]) => [
    name,
    ...TRIGGERS.map((trigger) => inWords(row, decideClaim(row, trigger, context))),
  ]);
  expect(tableAfter("### Who may start work")).toEqual(decided);
});

test("the page draws every order transition that is allowed and no other", () => {
  const allowed = ORDER_STATES.flatMap((from) =>
    ORDER_TRANSITIONS[from].map((to) => `${from} -> ${to}`),
  ).toSorted();
  expect(edgesAfter("## An order")).toEqual(allowed);
});

test("the page explains every phase of an event", () => {
  expect(
    tableAfter("## An event")
      .map(([phase]) => phase)
      .toSorted(),
  ).toEqual([...EVENT_PHASES].toSorted());
});
