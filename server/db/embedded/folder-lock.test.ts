import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartRefused } from "../../start-refused.ts";
import { lockFolder } from "./folder-lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "einmal-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lock = () => join(folder, "lock");

/** The lock of this very process, as if another one had written it. */
function ownLock(): { pid: number; identity: string; host: string } {
  const release = lockFolder(folder);
  const written: unknown = JSON.parse(readFileSync(lock(), "utf8"));
  release();
  return written as { pid: number; identity: string; host: string };
}

test("one process at a time has the folder, and gives it back", () => {
  const release = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(StartRefused);
  release();
  expect(existsSync(lock())).toBe(false);
  lockFolder(folder)();
});

test("a lock whose process is gone is taken over", () => {
  writeFileSync(lock(), JSON.stringify({ ...ownLock(), pid: 2 ** 22 + 1 }));
  lockFolder(folder)();
});

// Numbers of processes are given again, in containers almost always the same ones.
test("a lock whose process number now belongs to another process is taken over", () => {
  writeFileSync(lock(), JSON.stringify({ ...ownLock(), identity: "an earlier boot/17" }));
  lockFolder(folder)();
});

test("a lock that nobody can read is taken over", () => {
  writeFileSync(lock(), "{");
  lockFolder(folder)();
});

// Whether that process lives cannot be seen from here, and two servers on one folder destroy it.
test("a lock of another machine refuses, and says which file to delete", () => {
  writeFileSync(lock(), JSON.stringify({ ...ownLock(), host: "elsewhere" }));
  expect(() => lockFolder(folder)).toThrow(lock());
  expect(existsSync(lock())).toBe(true);
});

test("a lock that has since been taken over is not given back by its former owner", () => {
  const release = lockFolder(folder);
  writeFileSync(lock(), "another's");
  release();
  expect(readFileSync(lock(), "utf8")).toBe("another's");
});
