import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "#server/package-root.ts";
import { GUARDS } from "./guards.ts";

const read = (path: string) => readFileSync(join(packageRoot(), path), "utf8");

test.for(GUARDS.map((guard) => [guard.guard, guard] as const))(
  "the guard can be taken away, its page tells of it, and its test exists: %s",
  ([, guard]) => {
    expect(read(guard.file).split(guard.find)).toHaveLength(2);
    const { promise, guard: words, test: proof } = guard;
    expect(read("docs/guarantees.md")).toContain(
      `| ${promise} | ${words} | \`${proof.file}\`: ${proof.title} |`,
    );
    expect(read(proof.file).length).toBeGreaterThan(0);
  },
);
