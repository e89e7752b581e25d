import pino from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Killers, startKillers } from "./killers.ts";
import { createSwitchboard } from "./switchboard.ts";

const log = pino({ level: "silent" });

describe("the hands that kill", () => {
  let killers: Killers | undefined;
  afterEach(async () => {
    await killers?.stop();
    vi.useRealTimers();
  });

  const start = (given: { dies?: boolean; killDatabase?: (() => Promise<void>) | null } = {}) => {
    vi.useFakeTimers();
    const switchboard = createSwitchboard();
    const lives = { begun: 0, ended: 0 };
    killers = startKillers({
      switchboard,
      startWorker: () => {
        lives.begun += 1;
        return {
          kill: async () => {
            lives.ended += 1;
            return given.dies ?? true;
          },
        };
      },
      killDatabase: given.killDatabase ?? null,
      log,
    });
    return { switchboard, lives };
  };
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

  test("do nothing while nothing is on", async () => {
    const killDatabase = vi.fn(async () => {});
    const { lives } = start({ killDatabase });
    await pass(600);
    expect([lives.begun, killDatabase.mock.calls.length]).toEqual([0, 0]);
  });

  test("kill one worker per period while the switch is on, and the last one when it goes off", async () => {
    const { switchboard, lives } = start();
    switchboard.change({ switches: { worker_kills: true }, workerSeconds: 10 });
    await pass(35);
    expect([lives, switchboard.run()?.tally.workersKilled]).toEqual([{ begun: 4, ended: 3 }, 3]);
    switchboard.change({ switches: { worker_kills: false } });
    await pass(60);
    expect(lives).toEqual({ begun: 4, ended: 4 });
  });

  test("count no worker that ended without being killed, and start no other before its period is over", async () => {
    const { switchboard, lives } = start({ dies: false });
    switchboard.change({ switches: { worker_kills: true }, workerSeconds: 10 });
    await pass(15);
    expect([lives.begun, switchboard.run()?.tally.workersKilled]).toEqual([2, 0]);
  });

  test("kill the database per period by the setting of the moment, whatever other switch is thrown meanwhile", async () => {
    const killDatabase = vi.fn(async () => {});
    const { switchboard } = start({ killDatabase });
    switchboard.change({ switches: { database_kills: true }, databaseSeconds: 30 });
    await pass(10);
    switchboard.change({ switches: { twins: true } });
    await pass(10);
    expect(killDatabase).toHaveBeenCalledTimes(0);
    switchboard.change({ switches: {}, databaseSeconds: 15 });
    await pass(1);
    expect(killDatabase).toHaveBeenCalledTimes(1);
    switchboard.change({ switches: { database_kills: false } });
    await pass(600);
    expect([killDatabase.mock.calls.length, switchboard.run()?.tally.databaseKills]).toEqual([1, 1]);
  });

  test("do not try without a pause when a kill goes wrong", async () => {
    const killDatabase = vi.fn(async () => {
      throw new Error("It does not come back.");
    });
    const { switchboard } = start({ killDatabase });
    switchboard.change({ switches: { database_kills: true }, databaseSeconds: 30 });
    await pass(95);
    expect([killDatabase.mock.calls.length, switchboard.run()?.tally.databaseKills]).toEqual([3, 0]);
  });

  test("leave the last worker's end behind them before they have stopped", async () => {
    const { switchboard, lives } = start();
    switchboard.change({ switches: { worker_kills: true } });
    await pass(1);
    await killers?.stop();
    expect(lives).toEqual({ begun: 1, ended: 1 });
  });
});
