import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "./package-root.ts";
import {
  featuresAreApart,
  findCycles,
  importsNameTheirFile,
  packagesStayAtTheirEdge,
  type Rule,
  serverGoesDownwards,
  sidesAreApart,
  testsAreNotShipped,
} from "./tidy/import-rules.ts";
import {
  exportsHaveNames,
  filesAreShort,
  filesHoldWhatTheyExport,
  functionsAreShort,
  machinePathsIn,
  namesSaySomething,
  openEndsHaveNumbers,
} from "./tidy/shape-rules.ts";
import { listFiles, parseSource, readSources } from "./tidy/source-file.ts";
import { onlyClaimsWriteTheStatus } from "./tidy/status-rule.ts";

const RULES: Record<string, Rule> = {
  sidesAreApart,
  featuresAreApart,
  serverGoesDownwards,
  packagesStayAtTheirEdge,
  testsAreNotShipped,
  importsNameTheirFile,
  onlyClaimsWriteTheStatus,
  filesAreShort,
  functionsAreShort,
  namesSaySomething,
  exportsHaveNames,
  filesHoldWhatTheyExport,
  openEndsHaveNumbers,
};

/** Each with the reason why this one file may. */
const EXCEPTIONS: { rule: string; path: string; because: string }[] = [
  {
    rule: "exportsHaveNames",
    path: "e2e/start-einmal.ts",
    because: "Playwright takes a default export only.",
  },
  {
    rule: "filesAreShort",
    path: "shared/outcomes.ts",
    because: "One table of every code there is: in two halves, a code would have to be looked for.",
  },
  {
    rule: "namesSaySomething",
    path: "client/ui/data-table.tsx",
    because: "The trade's word for a table that sorts and pages; Table alone is the component library's.",
  },
];

const sources = readSources(packageRoot());

describe("the tree is tidy", () => {
  test.each(Object.entries(RULES))("%s", (name, rule) => {
    const isExcepted = (path: string) => EXCEPTIONS.some((one) => one.rule === name && one.path === path);
    const faults = sources
      .filter((file) => !isExcepted(file.path))
      .flatMap((file) => rule(file).map((fault) => `${file.path} ${fault}`));
    expect(faults).toEqual([]);
  });

  test("no file imports itself over others", () => {
    expect(findCycles(sources)).toEqual([]);
  });

  test("nothing names a folder of one machine", () => {
    const faults = listFiles(packageRoot())
      .filter((path) => !/\.(png|woff2|ico)$/.test(path) && path !== "server/tidy.test.ts")
      .flatMap((path) =>
        machinePathsIn(readFileSync(join(packageRoot(), path), "utf8")).map((fault) => `${path} ${fault}`),
      );
    expect(faults).toEqual([]);
  });

  test("every exception is still needed", () => {
    for (const { rule, path } of EXCEPTIONS) {
      const file = sources.find((source) => source.path === path);
      expect(file === undefined ? [] : RULES[rule]?.(file), `${rule} in ${path}`).not.toEqual([]);
    }
  });
});

const lines = (count: number, line = "// Line.") => `${line}\n`.repeat(count);

/** A rule that finds nothing in a tree may be a rule that finds nothing: here is one breach of each. */
describe("a breach is found", () => {
  test.each<[string, string, string]>([
    ["sidesAreApart", "shared/money.ts", 'import { db } from "../server/db/client.ts";'],
    ["sidesAreApart", "client/app/router.tsx", 'import type { AppRouter } from "#server/trpc/router.ts";'],
    ["sidesAreApart", "client/app/trpc.ts", 'import { appRouter } from "#server/trpc/router.ts";'],
    ["sidesAreApart", "client/app/trpc.ts", 'import type { Db } from "#server/db/client.ts";'],
    [
      "featuresAreApart",
      "client/features/events/a.tsx",
      'import { OrderSheet } from "../orders/order-sheet.tsx";',
    ],
    ["featuresAreApart", "client/ui/table.tsx", 'import { router } from "../app/router.tsx";'],
    ["serverGoesDownwards", "server/claims/take.ts", 'import { a } from "../receiving/accept.ts";'],
    ["serverGoesDownwards", "server/claims/take.ts", 'import { a } from "../workers/event-worker.ts";'],
    ["serverGoesDownwards", "server/db/client.ts", 'import { a } from "../claims/take.ts";'],
    ["serverGoesDownwards", "server/workers/event-worker.ts", 'import { a } from "../http/health.ts";'],
    ["serverGoesDownwards", "server/http/health.ts", 'import { a } from "../start/einmal.ts";'],
    ["serverGoesDownwards", "server/claims/take.ts", 'export { a } from "../trpc/router.ts";'],
    ["serverGoesDownwards", "server/claims/take.ts", 'const a = await import("../trpc/router.ts");'],
    ["serverGoesDownwards", "server/nowhere/a.ts", "export const a = 1;"],
    ["packagesStayAtTheirEdge", "server/fulfilment/read.ts", 'import Stripe from "stripe";'],
    ["packagesStayAtTheirEdge", "server/orders/read.ts", 'import type { Request } from "express";'],
    ["packagesStayAtTheirEdge", "server/replays/request.ts", 'import { TRPCError } from "@trpc/server";'],
    [
      "testsAreNotShipped",
      "server/orders/read.ts",
      'import { useDatabase } from "../testing/use-database.ts";',
    ],
    ["importsNameTheirFile", "server/orders/read.ts", 'import { a } from "./transitions";'],
    [
      "onlyClaimsWriteTheStatus",
      "server/replays/request.ts",
      'import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";\nawait tx.update(events).set({});',
    ],
    [
      "onlyClaimsWriteTheStatus",
      "server/replays/request.ts",
      'import { processedStripeEvents as e } from "../db/schema/processed-stripe-events.ts";\nsql`UPDATE ${e} set status = 1`;',
    ],
    ["onlyClaimsWriteTheStatus", "server/trpc/events.ts", "sql`delete from processed_stripe_events`;"],
    ["filesAreShort", "shared/a.ts", lines(400)],
    ["functionsAreShort", "shared/a.ts", `export function a() {\n${lines(70)}}`],
    ["functionsAreShort", "shared/a.ts", `const a = () => {\n${lines(70)}};`],
    ["functionsAreShort", "client/ui/a.tsx", `export function Table() {\n${lines(120)}}`],
    ["functionsAreShort", "shared/a.ts", `function a() {\n${`function b() {\n${lines(50)}}\n`.repeat(3)}}`],
    ["namesSaySomething", "server/orders/order-service.ts", ""],
    ["namesSaySomething", "server/utils/orders.ts", ""],
    ["namesSaySomething", "server/orders/orders.ts", "export class OrderManager {}"],
    ["namesSaySomething", "server/orders/orders.ts", "export interface UserInfo {}"],
    ["exportsHaveNames", "server/orders/orders.ts", "export default function read() {}"],
    ["filesHoldWhatTheyExport", "server/orders/index.ts", 'export * from "./read.ts";'],
    ["filesHoldWhatTheyExport", "server/orders/index.ts", 'export { read } from "./read.ts";'],
    ["openEndsHaveNumbers", "server/orders/orders.ts", "// TODO: later"],
  ])("%s in %s", (name, path, text) => {
    expect(RULES[name]?.(parseSource(path, text))).not.toEqual([]);
  });

  test("a cycle over three files, but not one that types make", () => {
    const file = (path: string, target: string, type = "") =>
      parseSource(path, `import ${type} { a } from "./${target}"; export const b = a;`);
    const cycle = [file("server/a.ts", "b.ts"), file("server/b.ts", "c.ts"), file("server/c.ts", "a.ts")];
    expect(findCycles(cycle)).toEqual(["server/a.ts -> server/b.ts -> server/c.ts -> server/a.ts"]);
    expect(findCycles([file("server/a.ts", "b.ts"), file("server/b.ts", "a.ts", "type")])).toEqual([]);
  });

  test.each(["/home/ada/einmal", "see /tmp/notes.md", '"/Users/ada/x"', "cd /root/einmal"])(
    "the folder in %s",
    (text) => {
      expect(machinePathsIn(text)).toHaveLength(1);
    },
  );
});

describe("what is allowed is let through", () => {
  test.each<[string, string, string]>([
    ["sidesAreApart", "client/app/trpc.ts", 'import type { AppRouter } from "#server/trpc/router.ts";'],
    ["sidesAreApart", "client/ui/money.tsx", 'import { a } from "#shared/money.ts";'],
    [
      "serverGoesDownwards",
      "server/receiving/accept.ts",
      'import { decideClaim } from "../claims/rules.ts";',
    ],
    ["serverGoesDownwards", "server/claims/take.ts", 'import type { Db } from "../db/client.ts";'],
    ["packagesStayAtTheirEdge", "server/stripe/client.ts", 'import Stripe from "stripe";'],
    ["onlyClaimsWriteTheStatus", "server/claims/settle.ts", "sql`update processed_stripe_events`;"],
    ["functionsAreShort", "client/ui/a.tsx", `export function Table() {\n${lines(100)}}`],
    ["functionsAreShort", "shared/a.ts", `function a() {\n${`function b() {\n${lines(50)}}\n`.repeat(2)}}`],
    ["namesSaySomething", "server/db/database.ts", "export const informative = 1;"],
    ["openEndsHaveNumbers", "server/orders/orders.ts", "// TODO(#12): later"],
  ])("%s in %s", (name, path, text) => {
    expect(RULES[name]?.(parseSource(path, text))).toEqual([]);
  });
});
