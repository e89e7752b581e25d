import { execFileSync } from "node:child_process";
import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartRefused } from "../../start-refused.ts";

/** The system user that PostgreSQL runs as; null: the one that runs us. */
export type PostgresAccount = { uid: number; gid: number } | null;

/**
 * PostgreSQL refuses to run as root. For root (a container, mostly) it runs as the system user `postgres`,
 * which is made if there is none.
 */
export function postgresAccount(): PostgresAccount {
  if (process.getuid?.() !== 0) return null;
  return findAccount() ?? makeAccount();
}

function findAccount(): PostgresAccount {
  try {
    const id = (flag: string) =>
      Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: "pipe" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

function makeAccount(): PostgresAccount {
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false"];
  try {
    execFileSync("useradd", [...options, "postgres"], { stdio: "pipe" });
  } catch (cause) {
    throw new StartRefused(
      "You are root, PostgreSQL refuses to run as root, and no system user `postgres` could be made for it.\n" +
        "Start Einmal as an ordinary user, or make that user, or set DATABASE_URL to a PostgreSQL of your own.",
      { cause },
    );
  }
  return findAccount();
}

/** Refuses a place that the account cannot reach, naming the folder that is closed to it. */
export function checkReach(path: string, account: PostgresAccount): void {
  if (account === null) return;
  for (const folder of [path, ...ancestors(path)].toReversed()) {
    if (mayEnter(statSync(folder), account)) continue;
    throw new StartRefused(
      `You are root, so that PostgreSQL runs as the user postgres, and ${folder} is closed to that user.\n` +
        `It cannot reach ${path}.\n` +
        "Move the clone to a folder that everybody may enter (/srv, /opt), or start Einmal as an ordinary user,\n" +
        `or open the folder: chmod o+x ${folder}`,
    );
  }
}

/** May the account go through this folder? By its permission bits, as the system asks them. */
export function mayEnter(
  folder: Pick<Stats, "uid" | "gid" | "mode">,
  account: { uid: number; gid: number },
): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestors(parent)];
}
