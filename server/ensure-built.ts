import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

/** Everything that what is built depends on. */
const INPUTS = [
  "client",
  "server",
  "shared",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
];
const GENERATED = "client/messages/generated";
const OUTPUTS = ["dist/client/index.html", "dist/server/main.js"];
const STAMP = "dist/built-from";

/**
 * `npm start` runs this first: builds, unless what is built was built from these very sources. By their content,
 * since a checkout sets the times of files as it likes.
 */
function ensureBuilt(root: string): number {
  const stamp = join(root, STAMP);
  const sources = hashOf(root);
  const isBuilt = OUTPUTS.every((path) => existsSync(join(root, path)));
  if (isBuilt && existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return 0;

  // Before the build, so that one that breaks off is not taken for a whole one.
  rmSync(stamp, { force: true });
  console.log("Building ...");
  const { status } = spawnSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
  if (status === 0) writeFileSync(stamp, sources);
  return status ?? 1;
}

function hashOf(root: string): string {
  const hash = createHash("sha256").update(process.version);
  for (const input of INPUTS) {
    for (const path of filesOf(root, input)) {
      const content = readFileSync(join(root, path));
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

function filesOf(root: string, input: string): string[] {
  if (/\.\w+$/.test(input)) return [input];
  return readdirSync(join(root, input), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith(GENERATED))
    .toSorted();
}

process.exitCode = ensureBuilt(packageRoot());
