import pRetry from "p-retry";
import { type Cluster, removeLeftPidFile, startCluster, type StartOptions } from "./cluster.ts";

/** Children of a killed server hold its shared memory until they notice; until then a new one refuses to start. */
const WAIT_FOR_RELEASE = { retries: 100, factor: 1, minTimeout: 100 };

export interface KillableServer {
  /** Settles when the server has ended and nobody here wanted it to. */
  ended: Promise<void>;
  stop: () => Promise<void>;
  /** Tells the server to stop and does not wait. */
  abandon: () => void;
  /** SIGKILL: no goodbye to anybody, nothing written that was not written before. */
  kill: () => Promise<void>;
  /** Starts a killed server on what is on the disk, at the same address, and waits until it answers. */
  startAgain: () => Promise<void>;
}

/** A server that runs and may be killed for a trial: whoever waits for its end is not told of such a death. */
export function killableServer(first: Cluster, options: StartOptions): KillableServer {
  let cluster = first;
  let isDeathWanted = false;
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const watch = ({ ended: over }: Cluster) => {
    void over.then(() => {
      if (!isDeathWanted) end();
    });
  };
  watch(first);

  return {
    ended,
    stop: () => cluster.stop(),
    abandon: () => cluster.abandon(),
    kill: async () => {
      isDeathWanted = true;
      await cluster.kill();
    },
    startAgain: async () => {
      try {
        cluster = await pRetry(() => {
          removeLeftPidFile(options.dataFolder);
          return startCluster(options);
        }, WAIT_FOR_RELEASE);
      } catch (error) {
        end();
        throw error;
      }
      isDeathWanted = false;
      watch(cluster);
    },
  };
}
