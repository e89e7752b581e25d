import { expect, test } from "vitest";
import { mayEnter } from "./postgres-account.ts";

const postgres = { uid: 105, gid: 110 };

test.each<[string, { uid: number; gid: number; mode: number }, boolean]>([
  ["everybody may enter", { uid: 0, gid: 0, mode: 0o40755 }, true],
  ["only root may enter", { uid: 0, gid: 0, mode: 0o40700 }, false],
  ["its group may enter", { uid: 0, gid: 110, mode: 0o40710 }, true],
  ["its own", { uid: 105, gid: 0, mode: 0o40700 }, true],
  ["everybody but its owner may enter", { uid: 105, gid: 0, mode: 0o40077 }, false],
  ["everybody may list but not enter", { uid: 0, gid: 0, mode: 0o40744 }, false],
])("PostgreSQL's account and a folder that %s: %o", (_what, folder, expected) => {
  expect(mayEnter(folder, postgres)).toBe(expected);
});
