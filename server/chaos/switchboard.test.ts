import { describe, expect, test } from "vitest";
import { CHAOS_MINUTES_MAX } from "#shared/chaos.ts";
import { createSwitchboard } from "./switchboard.ts";

const MINUTE_MS = 60_000;

describe("the switches of chaos", () => {
  test("are off at first, and a change throws those it names and no other", () => {
    const board = createSwitchboard();
    expect([board.isOn(), board.run()]).toEqual([false, null]);
    board.change({ switches: { twins: true } });
    board.change({ switches: { duplicates: true }, workerSeconds: 7 });
    expect(board.settings()).toMatchObject({
      switches: { twins: true, duplicates: true, reordering: false, worker_kills: false },
      workerSeconds: 7,
      databaseSeconds: 30,
    });
  });

  test("go off by themselves when nobody has touched them for the time given, and stay off at the next change", () => {
    let now = 0;
    const board = createSwitchboard(() => now);
    board.change({ switches: { twins: true } });
    now = (CHAOS_MINUTES_MAX - 1) * MINUTE_MS;
    board.change({ switches: { reordering: true } });
    now += CHAOS_MINUTES_MAX * MINUTE_MS - 1;
    expect(board.isOn()).toBe(true);
    now += 1;
    expect(board.isOn()).toBe(false);
    board.change({ switches: { duplicates: true } });
    expect(board.settings().switches).toMatchObject({ duplicates: true, twins: false, reordering: false });
  });

  test("count what is done in a run, from the first one on to the last one off", () => {
    let now = 1000;
    const board = createSwitchboard(() => now);
    board.count("workersKilled");
    board.change({ switches: { worker_kills: true } });
    board.count("workersKilled");
    now = 5000;
    board.change({ switches: { worker_kills: false } });
    expect(board.run()).toMatchObject({
      startedAt: new Date(1000),
      endsAt: new Date(5000),
      tally: { workersKilled: 1, databaseKills: 0 },
    });
    now = 9000;
    board.change({ workerSeconds: 5, switches: {} });
    expect(board.run()).toMatchObject({ endsAt: new Date(5000) });
    board.change({ switches: { twins: true } });
    expect(board.run()).toMatchObject({ startedAt: new Date(9000), tally: { workersKilled: 0 } });
  });

  test("tell who waits of the next change", async () => {
    const board = createSwitchboard();
    const changed = board.changed();
    board.change({ switches: { twins: true } });
    await expect(changed).resolves.toBeUndefined();
  });
});
