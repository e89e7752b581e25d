import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{client,server,shared,e2e}/**/*.test.ts"],
          exclude: ["**/*.pg.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "database",
          include: ["server/**/*.pg.test.ts"],
          globalSetup: ["server/testing/database-cluster.ts"],
          // Two cores: more files at once only make the server and the tests wait for each other.
          maxWorkers: 2,
        },
      },
    ],
  },
});
