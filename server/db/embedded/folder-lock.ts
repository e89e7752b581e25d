import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { StartRefused } from "../../start-refused.ts";
import { processIdentity } from "./processes.ts";

const holderSchema = z.object({ pid: z.int(), identity: z.string(), host: z.string() });
type Holder = z.infer<typeof holderSchema>;

/**
 * Makes this process the only one that uses the folder, and returns the function that gives it back. A lock
 * whose process is gone is taken over; one that is alive refuses the start.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lock");
  const own = JSON.stringify({
    pid: process.pid,
    identity: processIdentity(process.pid) ?? "",
    host: hostname(),
  } satisfies Holder);

  if (!tryCreate(path, own)) {
    removeStale(path, folder);
    if (!tryCreate(path, own)) throw inUse(folder, readHolder(path));
  }
  return () => {
    if (readText(path) === own) rmSync(path, { force: true });
  };
}

/** Written aside and then linked, so that nobody ever reads half a lock and only one can make it. */
function tryCreate(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o644 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeStale(path: string, folder: string): void {
  const seen = readText(path);
  if (seen === null) return;
  const holder = parseHolder(seen);
  if (holder && holder.host !== hostname()) {
    throw new StartRefused(
      `The folder ${folder} is in use by a process on another machine (${holder.host}, process ${holder.pid}).\n` +
        `Two servers on one database folder would destroy it. If that machine no longer runs Einmal, delete\n` +
        `${path} and start again.`,
    );
  }
  if (holder && processIdentity(holder.pid) === holder.identity) throw inUse(folder, holder);

  // Two starts may find the same stale lock. Both rename; the one that got the other's fresh lock by it puts
  // that back and is refused.
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readText(aside) !== seen) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function inUse(folder: string, holder: Holder | null): StartRefused {
  const who = holder ? `process ${holder.pid}` : "another process";
  return new StartRefused(
    `Einmal already runs on the folder ${folder} (${who}).\n` +
      `Use that one, or stop it first${holder ? `: kill ${holder.pid}` : ""}. For a second installation from this clone, set\n` +
      "EINMAL_FOLDER to another folder and PORT to another port.",
  );
}

function readHolder(path: string): Holder | null {
  return parseHolder(readText(path) ?? "");
}

function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
