import { rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../server/free-port.ts";
import { packageRoot } from "../server/package-root.ts";
import { startedEinmal } from "../server/testing/einmal-process.ts";
import { makeOwnFolder } from "../server/testing/own-folder.ts";

/** Starts one Einmal from the build, on a port and in a folder of its own, for all browser tests of a run. */
export default async function startForTests(): Promise<() => Promise<void>> {
  const folder = makeOwnFolder();
  const port = await freePort();
  const main = join(packageRoot(), "dist/server/main.js");
  const einmal = await startedEinmal({ PORT: String(port), EINMAL_FOLDER: folder }, { main });
  process.env.EINMAL_TEST_URL = `http://localhost:${port}`;
  process.env.EINMAL_TEST_FOLDER = folder;
  process.env.EINMAL_TEST_EMULATOR = /emulator at (\S+)/.exec(einmal.output())?.[1] ?? "";

  return async () => {
    einmal.kill("SIGTERM");
    const { code } = await einmal.ended;
    rmSync(folder, { recursive: true, force: true });
    // What the browser did must not keep it from stopping in good order.
    if (code !== 0)
      throw new Error(`Einmal ended with ${code} after the browser tests. It said:\n${einmal.output()}`);
  };
}
