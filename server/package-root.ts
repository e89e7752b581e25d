import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

/** The folder that holds package.json, from the sources as well as from the built `dist/server`. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("Bug! No package.json above the server's own files.");
    folder = parent;
  }
  return folder;
}

/** The version that package.json names. */
export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
