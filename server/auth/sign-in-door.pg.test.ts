import { describe, expect, test } from "vitest";
import { rateLimit, session, user } from "../db/schema/sign-in.ts";
import { useDesk } from "../testing/desk-bench.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const desk = useDesk(database, { signInsPerMinute: 3 });
const publicUrl = "https://desk.example";
const publicDesk = useDesk(database, { publicUrl });
const ops = { email: "ops@example.test", password: "einmal-sandbox" };

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${desk().url}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: desk().url, ...headers },
    body: JSON.stringify(body),
  });

describe("pages at other addresses", () => {
  test.for(["https://evil.example", "null", "http://localhost:1", "https://localhost"])(
    "such as %s can sign nobody in and nobody out",
    async (origin) => {
      expect(await desk().signIn(ops, { origin })).toEqual({ status: 403, cookie: "" });
      expect(await database().db.$count(session)).toBe(0);

      const { cookie } = await desk().signIn(ops);
      for (const headers of [{ origin }, { origin, cookie }]) {
        const answer = await post("/sign-out", {}, headers);
        expect(answer.status).toBe(403);
        expect(await answer.json()).toMatchObject({ error: "origin_not_trusted" });
      }
      expect(await database().db.$count(session)).toBe(1);
    },
  );

  test("are all but the public one, once there is a public address", async () => {
    expect((await publicDesk().signIn(ops)).status).toBe(200);
    for (const origin of [publicDesk().url, "http://desk.example", "https://desk.example:8443"]) {
      expect((await publicDesk().signIn(ops, { origin })).status, origin).toBe(403);
    }
  });

  test("never get the cookie over a plain connection, once the public address is https", async () => {
    expect((await publicDesk().signIn(ops)).cookie).toMatch(/^__Secure-einmal\./);
  });
});

describe("the door of sign-in", () => {
  test("knows an address in any spelling, and nobody who was invited but has not joined", async () => {
    await database().db.insert(user).values({ id: "u", email: "zoe@example.test", name: "Zoë", role: "ops" });
    expect((await desk().signIn({ ...ops, email: "OPS@Example.test" })).status).toBe(200);
    const wrong = await post("/sign-in/email", { ...ops, password: "not-the-password" });
    const invited = await post("/sign-in/email", { ...ops, email: "zoe@example.test" });
    expect([wrong.status, invited.status]).toEqual([401, 401]);
    expect(await invited.text()).toBe(await wrong.text());
  });

  test("is closed to large bodies and to paths that only look like the open ones", async () => {
    expect((await post("/sign-in/email", { ...ops, password: "x".repeat(20_000) })).status).toBe(413);
    const { cookie } = await desk().signIn({ ...ops, email: "support@example.test" });
    for (const path of [
      "//update-user",
      "/sign-out/../update-user",
      "/sign-out/%2e%2e/update-user",
      "/Sign-Out",
    ]) {
      expect((await post(path, { name: "Somebody else" }, { cookie })).status, path).toBe(404);
    }
  });

  // Counted in memory, each further process would be another set of tries.
  test("counts tries in the database, for all processes together", async () => {
    const { db } = database();
    for (const _try of [1, 2, 3])
      expect((await desk().signIn({ ...ops, password: "a-guess" })).status).toBe(401);
    expect((await desk().signIn(ops)).status).toBe(429);
    await db.delete(rateLimit);
    expect((await desk().signIn(ops)).status).toBe(200);
  });

  test("writes neither addresses nor passwords into the log", async () => {
    await desk().signIn({ email: "nobody@example.test", password: "a-wrong-guess" });
    await desk().signIn(ops, { origin: "https://evil.example" });
    expect(desk().logged()).not.toMatch(/@example|wrong-guess|einmal-sandbox/);
  });
});
