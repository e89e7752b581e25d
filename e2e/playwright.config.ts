import { defineConfig } from "@playwright/test";

const chromiumPath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../test-results/e2e",
  globalSetup: "./start-einmal.ts",
  reporter: [["list"], ["json"]],
  // One Einmal and one database serve all specs, in a fixed order. A test that passes at the second try is a
  // fault of the product or of the test, and either wants to be seen.
  workers: 1,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 30_000,
  use: {
    // Set by the global setup, which runs before the workers read this.
    ...(process.env.EINMAL_TEST_URL && { baseURL: process.env.EINMAL_TEST_URL }),
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: chromiumPath ? { executablePath: chromiumPath } : {},
  },
});
