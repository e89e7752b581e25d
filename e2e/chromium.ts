import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const SYSTEM_BROWSERS = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const WHAT_TO_DO =
  "No Chromium was found and none could be installed. Install Chromium or Google Chrome, or say where one is:\n" +
  "  CHROMIUM_PATH=/path/to/chromium npm test";

/**
 * The browser for the tests: the one that CHROMIUM_PATH names, one of the system, Playwright's own, and else one
 * that is installed now. Throws in words if there is none to be had.
 */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return named;
    throw new Error(
      `CHROMIUM_PATH names ${named}, which does not run. Mend it, or unset it to search for another.`,
    );
  }
  const found = search();
  if (found !== null) return found;

  console.log("No Chromium found. Installing Playwright's own ...");
  attempt("npx", ["playwright", "install", "chromium"]);
  const installed = search();
  if (installed !== null) return installed;

  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Debian's Chromium ...");
    if (attempt("apt-get", ["update"]))
      attempt("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"]);
  }
  const last = search();
  if (last === null) throw new Error(WHAT_TO_DO);
  return last;
}

function search(): string | null {
  return [...SYSTEM_BROWSERS.flatMap(onPath), chromium.executablePath()].find(runs) ?? null;
}

function onPath(name: string): string[] {
  if (name.startsWith("/")) return [name];
  try {
    return [execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()];
  } catch {
    return [];
  }
}

/** Does it start? Some systems put a script there that only says how to install the real one. */
function runs(path: string): boolean {
  return (
    existsSync(path) && spawnSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0
  );
}

function attempt(command: string, args: string[]): boolean {
  const options = {
    stdio: ["ignore", "inherit", "inherit"] as const,
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  return spawnSync(command, args, { ...options, stdio: [...options.stdio] }).status === 0;
}
