import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../testing/use-database.ts";
import { type Database, openDatabase } from "./client.ts";

const database = useDatabase();

async function backendOf(sql: { unsafe: (text: string) => Promise<{ pid?: number }[]> }): Promise<number> {
  const [row] = await sql.unsafe("select pg_backend_pid() as pid");
  return row?.pid ?? 0;
}

/** Ends a session as a failover does, and waits until the server has let go of it. */
async function endBackend(pid: number): Promise<void> {
  await database().sql`select pg_terminate_backend(${pid}, 5000)`;
}

function openOneConnection() {
  return openDatabase({ url: database().url, connectionsMax: 1, applicationName: "einmal-test" });
}

/** What is said before the socket is known to be closed may still fail; what is said soon after may not. */
async function answersAgain({ sql }: Database): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await sql`select 1 as one`.catch((error: unknown) => error);
    if (tries === 5 || !(answer instanceof Error)) {
      expect(answer).toEqual([{ one: 1 }]);
      return;
    }
  }
}

// A failover ends every connection, some of them in mid-sentence. Whoever does not live through that stops the
// shop until somebody restarts them.
describe("a connection whose session the server has ended", () => {
  test("is opened anew for the next statement, however often that happens", async () => {
    const pool = openOneConnection();
    for (let round = 0; round < 10; round++) {
      const pid = await backendOf(pool.sql);
      const written = Promise.allSettled([pool.sql`select pg_sleep(10)`, pool.sql`select 1`]);
      await endBackend(pid);
      await written;
      await answersAgain(pool);
    }
    await pool.close();
  });

  // The rest of a transaction that loses its beginning must not happen: it would be half of an effect.
  test("fails its transaction, and what that says afterwards reaches no other session", async () => {
    const pool = openOneConnection();
    await database().sql`create table survivors (round integer)`;
    for (let round = 0; round < 20; round++) {
      const doomed = pool.sql.begin(async (tx) => {
        await endBackend(await backendOf(tx));
        for (let turns = 0; turns < round; turns++) await turn();
        await tx`insert into survivors values (${round})`;
      });
      await expect(doomed).rejects.toThrow();
      await answersAgain(pool);
    }
    expect(await database().sql`select * from survivors`).toEqual([]);
    await pool.close();
  });
});
