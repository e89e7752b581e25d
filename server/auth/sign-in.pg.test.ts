import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { session, user } from "../db/schema/sign-in.ts";
import { refusalOf, useDesk } from "../testing/desk-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { createBetterAuth } from "./better-auth.ts";

const database = useDatabase();
const desk = useDesk(database);
const admin = { email: "admin@example.test", password: "einmal-sandbox" };

/** better-auth itself, without the door before it that keeps most of its paths shut. */
const betterAuth = (baseUrl: string) =>
  createBetterAuth({
    db: database().db,
    secret: "s".repeat(40),
    baseUrl,
    trustedOrigins: [baseUrl],
    log: pino({ level: "silent" }),
  });

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${desk().url}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: desk().url, ...headers },
    body: JSON.stringify(body),
  });

describe("signing in", () => {
  test("lets an operator in with their role, and out again at once", async () => {
    const { status, cookie } = await desk().signIn(admin);
    expect(status).toBe(200);
    const client = desk().client({ cookie });
    expect((await client.operators.me.query()).operator).toMatchObject({ email: admin.email, role: "admin" });

    expect((await post("/sign-out", {}, { cookie })).status).toBe(200);
    expect(await refusalOf(client.operators.me.query())).toBe("UNAUTHORIZED");
  });

  test("ends a session whose row is gone, whatever the cookie says", async () => {
    const { cookie } = await desk().signIn(admin);
    await database().db.delete(session);
    expect(await refusalOf(desk().client({ cookie }).operators.me.query())).toBe("UNAUTHORIZED");
  });

  test("takes a role away at the next request", async () => {
    const { cookie } = await desk().signIn(admin);
    await database().db.update(user).set({ role: "support" }).where(eq(user.email, admin.email));
    expect((await desk().client({ cookie }).operators.me.query()).operator.role).toBe("support");
  });

  test("prolongs a session that is used, for twelve hours", async () => {
    const { cookie } = await desk().signIn(admin);
    await database().db.update(session).set({ expiresAt: sql`now() + interval '1 hour'` });
    const answer = await fetch(`${desk().url}/trpc/operators.me`, { headers: { cookie } });
    expect(answer.headers.getSetCookie().join()).toContain("Max-Age=43200");
    const [row] = await database().db.select({ expiresAt: session.expiresAt }).from(session);
    expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 11 * 3600_000);
  });

  test("ends a session that was not used in time", async () => {
    const { cookie } = await desk().signIn(admin);
    await database().db.update(session).set({ expiresAt: sql`now() - interval '1 second'` });
    expect(await refusalOf(desk().client({ cookie }).operators.me.query())).toBe("UNAUTHORIZED");
  });

  test("says the same of a wrong password and of an unknown address", async () => {
    const wrong = await post("/sign-in/email", { ...admin, password: "not-the-password" });
    const unknown = await post("/sign-in/email", { ...admin, email: "nobody@example.test" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await wrong.text()).toBe(await unknown.text());
  });

  test("refuses a page at another address", async () => {
    const { status, cookie } = await desk().signIn(admin, { origin: "https://evil.example" });
    expect({ status, cookie }).toEqual({ status: 403, cookie: "" });
  });

  test("trusts both names of this machine while no public address is set", async () => {
    const origin = desk().url.replace("localhost", "127.0.0.1");
    expect((await desk().signIn(admin, { origin })).status).toBe(200);
  });

  test("takes JSON only, which no page elsewhere can send unasked", async () => {
    const form = await fetch(`${desk().url}/api/auth/sign-in/email`, {
      method: "POST",
      body: new URLSearchParams(admin),
    });
    expect(form.status).toBe(415);
    expect(await form.json()).toEqual({ error: "json_expected" });
  });

  test("hides the cookie from scripts, and over https from plain connections", async () => {
    const answer = await post("/sign-in/email", admin);
    expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly.*SameSite=Lax/);
    const { authCookies } = await betterAuth("https://desk.example").$context;
    expect(authCookies.sessionToken).toMatchObject({
      name: "__Secure-einmal.session_token",
      attributes: { secure: true },
    });
  });
});

describe("what stays shut", () => {
  test("nobody can sign up", async () => {
    const stranger = { name: "Eve", email: "eve@example.test", password: "a-long-password" };
    expect((await post("/sign-up/email", stranger)).status).toBe(404);
    await expect(betterAuth(desk().url).api.signUpEmail({ body: stranger })).rejects.toThrow("not enabled");
    expect(await database().db.$count(user)).toBe(4);
  });

  test("nobody can give themselves a role", async () => {
    const { cookie } = await desk().signIn({ ...admin, email: "support@example.test" });
    expect((await post("/update-user", { role: "admin" }, { cookie })).status).toBe(404);
    const asked: object = { role: "admin" };
    const update = betterAuth(desk().url).api.updateUser({
      body: { name: "Sam", ...asked },
      headers: new Headers({ cookie }),
    });
    await expect(update).rejects.toThrow(/role/);
    expect((await desk().client({ cookie }).operators.me.query()).operator.role).toBe("support");
  });

  test.for(["/request-password-reset", "/change-email", "/delete-user", "/sign-in/social", "/error"])(
    "%s is no address here",
    async (path) => {
      expect((await post(path, { email: admin.email })).status).toBe(404);
    },
  );
});
