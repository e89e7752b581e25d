import { parseConfig } from "../config.ts";
import { StartRefused } from "../start-refused.ts";
import { claimEmbeddedFolder } from "./embedded/embedded-database.ts";
import { migrateDatabase } from "./migrate.ts";

/** `npm run db:migrate`: brings the database to the newest schema and ends, for deployments that do it apart. */
async function run(): Promise<void> {
  const { config } = parseConfig(process.env);
  if (config.database) {
    await migrateDatabase(config.database.directUrl);
    return;
  }
  const folder = claimEmbeddedFolder(config.folder);
  try {
    const embedded = await folder.start();
    await migrateDatabase(embedded.url).finally(embedded.stop);
  } finally {
    folder.release();
  }
}

try {
  await run();
  console.log("The database has the newest schema.");
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
