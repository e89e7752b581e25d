import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{client,server,shared,e2e}/**/*.test.ts"],
          exclude: ["**/*.pg.test.ts", "**/*.process.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "database",
          include: ["server/**/*.pg.test.ts"],
          globalSetup: ["server/testing/database-cluster.ts"],
          // Two cores: more files at once only make the server and the tests wait for each other.
          maxWorkers: 2,
          // A hang must end a test; a busy machine must not.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Whole Einmals as processes of their own: started, signalled, killed.
        test: {
          name: "process",
          include: ["server/**/*.process.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
