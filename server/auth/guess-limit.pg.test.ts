import { describe, expect, test } from "vitest";
import { useDesk } from "../testing/desk-bench.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const desk = useDesk(database, { signInsPerMinute: 2 });
const admin = { email: "admin@example.test", password: "einmal-sandbox" };
const guessFrom = async (address: string, headers: Record<string, string> = {}) => {
  const wrong = { ...admin, password: "a-wrong-guess" };
  return (await desk().signIn(wrong, { "x-forwarded-for": address, ...headers })).status;
};

describe("guessing passwords", () => {
  test("is answered 429 after a few tries, for the right password too, and for nobody else", async () => {
    expect([await guessFrom("192.0.2.1"), await guessFrom("192.0.2.1")]).toEqual([401, 401]);
    expect(await guessFrom("192.0.2.1")).toBe(429);
    expect((await desk().signIn(admin, { "x-forwarded-for": "192.0.2.1" })).status).toBe(429);
    expect(await guessFrom("192.0.2.2")).toBe(401);
  });

  // The bench trusts one proxy: what stands before that proxy's entry was written by the client.
  test("gains nothing by made-up addresses", async () => {
    const statuses: number[] = [];
    for (const n of [1, 2, 3]) {
      const chain = `198.51.100.${n}, 192.0.2.3`;
      statuses.push(await guessFrom(chain, { "x-einmal-client-address": `203.0.113.${n}` }));
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  test("gains nothing by many tries at the same moment", async () => {
    const statuses = await Promise.all([1, 2, 3, 4].map(() => guessFrom("192.0.2.4")));
    expect(statuses.toSorted()).toEqual([401, 401, 429, 429]);
  });
});
