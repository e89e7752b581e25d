import type { SourceFile, SourceImport } from "./source-file.ts";

/** A rule looks at a file and says what is wrong with it, in sentences. */
export type Rule = (file: SourceFile) => string[];

/** What each folder of the server that knows the trade may import of the others. Downwards only, no cycles. */
const DOMAIN: Record<string, readonly string[]> = {
  claims: [],
  receiving: ["claims"],
  orders: ["audit"],
  catalog: ["audit"],
  payments: [],
  customers: [],
  credits: [],
  effects: [],
  outbox: [],
  fulfilment: ["claims", "orders", "payments", "customers", "catalog", "effects", "credits", "outbox"],
  audit: [],
  auth: ["audit"],
  replays: ["claims", "audit", "fulfilment"],
  reconciliation: ["receiving", "replays", "audit"],
};
const BELOW_DOMAIN = ["db", "stripe"];
const DOMAIN_FOLDERS = Object.keys(DOMAIN);

/** The rest of the server, from the top down. */
const LAYERS: Record<string, readonly string[]> = {
  ...DOMAIN,
  db: [],
  stripe: ["db"],
  verdict: [...DOMAIN_FOLDERS],
  workers: [...DOMAIN_FOLDERS],
  http: [...DOMAIN_FOLDERS, "verdict"],
  chaos: ["claims", "orders", "audit"],
  trpc: [...DOMAIN_FOLDERS, "verdict", "chaos"],
  // Another machine, in truth: it speaks to the server over HTTP and may borrow nothing but its foundations.
  sandbox: [],
};
/** Put the parts together, and are imported by nobody. */
const COMPOSITION = ["start", "tidy", "testing"];
/** Packages that only an edge may know: what decides about money must not depend on how it was asked. */
const EDGE_PACKAGES: Record<string, readonly string[]> = {
  express: ["app.ts", "http", "trpc", "auth", "sandbox", "testing"],
  "@trpc/server": ["trpc"],
  helmet: ["http"],
  "better-auth": ["auth"],
  stripe: ["stripe", "sandbox", "testing"],
};

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);

/** `server/claims/take.ts` is of `claims`; a file of the server's top level is of its own name. */
function placeOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** shared imports nothing of ours; client imports shared, and the type AppRouter in one file. */
export const sidesAreApart: Rule = ({ path, imports }) => {
  const [side] = path.split("/");
  if (side === "shared") {
    return ours(imports, (target) => !target.startsWith("shared/")).map(
      (one) => `imports ${one.target}: shared imports nothing of ours`,
    );
  }
  if (side !== "client") return [];
  return ours(imports, (target) => !target.startsWith("client/") && !target.startsWith("shared/"))
    .filter((one) => !isRouterType(path, one))
    .map(
      (one) =>
        `imports ${one.target}: the client knows the server only by the type AppRouter in client/app/trpc.ts`,
    );
};

function isRouterType(path: string, one: SourceImport): boolean {
  return (
    path === "client/app/trpc.ts" &&
    one.isType &&
    [...one.names.keys()].join() === "AppRouter" &&
    one.target === "server/trpc/router.ts"
  );
}

/** Features never import each other, and what they share knows none of them. */
export const featuresAreApart: Rule = ({ path, imports }) => {
  const feature = /^client\/features\/([^/]+)/.exec(path)?.[1];
  const isUi = path.startsWith("client/ui/");
  if (isTest(path) || (feature === undefined && !isUi)) return [];
  return imports.flatMap(({ target }) => {
    const other = /^client\/features\/([^/]+)/.exec(target)?.[1];
    if (other !== undefined && other !== feature)
      return [`imports ${target}: features never import each other`];
    if (isUi && target.startsWith("client/app/")) return [`imports ${target}: ui knows nothing of the app`];
    return [];
  });
};

/** On the server imports go downwards: composition, then edges, then the domain, then database and Stripe. */
export const serverGoesDownwards: Rule = ({ path, imports }) => {
  if (!path.startsWith("server/") || isTest(path)) return [];
  const place = placeOf(path);
  if (COMPOSITION.includes(place)) return [];
  const mayImport = place.endsWith(".ts") ? null : LAYERS[place];
  if (mayImport === undefined)
    return [`is in server/${place}, which server/tidy/import-rules.ts has no rule for`];
  return ours(imports, (target) => target.startsWith("server/")).flatMap(({ target, isType }) => {
    const other = placeOf(target);
    if (COMPOSITION.includes(other) && path !== "server/main.ts")
      return [`imports ${target}: nothing builds on server/${other}`];
    const isFree =
      other === place ||
      other.endsWith(".ts") ||
      mayImport === null ||
      (isType && BELOW_DOMAIN.includes(other));
    const isBelow = BELOW_DOMAIN.includes(other) && place !== "db" && place !== "stripe";
    if (isFree || isBelow || mayImport.includes(other)) return [];
    return [`imports ${target}: server/${place} may not know server/${other}`];
  });
};

/** A domain folder never sees Express or tRPC; only server/stripe and the emulator see Stripe's package. */
export const packagesStayAtTheirEdge: Rule = ({ path, imports }) => {
  if (!path.startsWith("server/") || isTest(path)) return [];
  return imports.flatMap(({ target, isOurs }) => {
    const edges = isOurs ? undefined : EDGE_PACKAGES[target];
    if (edges === undefined || edges.includes(placeOf(path))) return [];
    return [`imports the package ${target}, which only ${edges.join(", ")} may know`];
  });
};

/** Code that ships imports no test and nothing made for tests. */
export const testsAreNotShipped: Rule = ({ path, imports }) => {
  const isShipped =
    /^(client|server|shared)\//.test(path) && !path.startsWith("server/testing/") && !isTest(path);
  if (!isShipped) return [];
  return imports
    .filter(({ target }) => isTest(target) || target.startsWith("server/testing/") || target === "vitest")
    .map(({ target }) => `imports ${target}: code that ships must not need what tests need`);
};

/** Relative imports name the file as it is, so that no tool has to guess. */
export const importsNameTheirFile: Rule = ({ imports }) =>
  ours(imports, (target) => !/\.(tsx?|js|css|json)$/.test(target))
    // The generated messages come without types of their own and are named as their tool names them.
    .filter(({ target }) => !target.includes("/generated/"))
    .map(({ target }) => `imports ${target} without its ending`);

function ours(imports: SourceImport[], isAmiss: (target: string) => boolean): SourceImport[] {
  return imports.filter((one) => one.isOurs && isAmiss(one.target));
}

/** Cycles of imports at run time, each told once. Types may refer to each other: they are gone by then. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const graph = new Map(
    files.map((file) => [
      file.path,
      file.imports.filter((one) => one.isOurs && !one.isType).map((one) => one.target),
    ]),
  );
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
      return;
    }
    state.set(path, "open");
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, "done");
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}
