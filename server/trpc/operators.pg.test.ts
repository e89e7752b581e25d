import { describe, expect, test } from "vitest";
import { ROLES } from "#shared/roles.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { user } from "../db/schema/sign-in.ts";
import { refusalOf, useDesk } from "../testing/desk-bench.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const desk = useDesk(database, { signInsPerMinute: 100 });
const invitation = { email: "nina@example.test", name: "Nina", role: "finance" } as const;

/** What a client of the desk's own never sends. */
const ask = (path: string, init: RequestInit = {}) => fetch(`${desk().url}/trpc/${path}`, init);
const mutation = (body: string, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body,
});
const cookieOf = async (role: string) =>
  (await desk().signIn({ email: `${role}@example.test`, password: "einmal-sandbox" })).cookie;

describe("whoever is not signed in", () => {
  // What a procedure expects is the business of those who may use it.
  test("is told so whatever they send, and nothing else", async () => {
    for (const [path, init] of [
      ["operators.me", {}],
      ["operators.list", {}],
      ["operators.invite", mutation('{"json":{"role":7}}')],
      ["operators.reissueInvitation", mutation('{"json":null}')],
      ["events.get?input=%7B%22json%22%3A1%7D", {}],
      ["replays.request", mutation("{}")],
    ] as const) {
      const answer = await ask(path, init);
      expect(answer.status, path).toBe(401);
      expect(await answer.text(), path).not.toMatch(/expected|invalid/i);
    }
  });

  test("is not taken for somebody because of a made-up cookie", async () => {
    const [name] = (await cookieOf("admin")).split("=");
    const client = desk().client({ cookie: `${name}=made.up` });
    expect(await refusalOf(client.operators.me.query())).toBe("UNAUTHORIZED");
  });
});

describe("operators", () => {
  test.for(ROLES)("with the role %s learn who they are and what this installation is", async (role) => {
    const client = await desk().signedInAs(role);
    expect(await client.operators.me.query()).toMatchObject({
      operator: { email: `${role}@example.test`, role },
      mode: "sandbox",
      timezone: "UTC",
    });
  });

  test("join by an admin's invitation and sign in with the password they chose", async () => {
    const admin = await desk().signedInAs("admin");
    const { link } = await admin.operators.invite.mutate({ ...invitation, email: "Nina@Example.test" });
    const token = new URL(link).hash.replace("#token=", "");

    const stranger = desk().client();
    expect(await stranger.operators.invitation.query({ token })).toEqual({
      email: invitation.email,
      role: "finance",
    });
    const acceptance = { token, name: "Nina N", password: "a password of hers" };
    expect(await stranger.operators.acceptInvitation.mutate(acceptance)).toEqual({ email: invitation.email });
    const { cookie } = await desk().signIn({ email: invitation.email, password: "a password of hers" });
    const { operator } = await desk().client({ cookie }).operators.me.query();
    expect(operator).toMatchObject({ name: "Nina N", role: "finance" });
    expect(await admin.operators.list.query()).toHaveLength(5);

    expect(await refusalOf(stranger.operators.invitation.query({ token }))).toBe("invitation_invalid");
    expect(await refusalOf(stranger.operators.acceptInvitation.mutate(acceptance))).toBe(
      "invitation_invalid",
    );
    expect(await refusalOf(admin.operators.invite.mutate(invitation))).toBe("operator_exists");
  });

  test("need a password of twelve characters", async () => {
    const short = { token: "t".repeat(43), name: "N", password: "eleven char" };
    expect(await refusalOf(desk().client().operators.acceptInvitation.mutate(short))).toBe("BAD_REQUEST");
  });

  test.for(["support", "ops", "finance"] as const)(
    "with the role %s neither see nor invite others, and their try is on record",
    async (role) => {
      const { operators } = await desk().signedInAs(role);
      expect(await refusalOf(operators.list.query())).toBe("role_not_allowed");
      expect(await refusalOf(operators.invite.mutate(invitation))).toBe("role_not_allowed");
      const reissue = operators.reissueInvitation.mutate({ operatorId: "sandbox-admin" });
      expect(await refusalOf(reissue)).toBe("role_not_allowed");
      const entries = await database().db.select().from(auditEntries).orderBy(auditEntries.sequence);
      expect(entries).toMatchObject([
        { actorId: `sandbox-${role}`, action: "operator.invite", result: "refused" },
        { actorId: `sandbox-${role}`, action: "operator.reissue_invitation", result: "refused" },
      ]);
      expect(await database().db.$count(user)).toBe(4);
    },
  );

  test("are nobody by an id that no row can hold", async () => {
    const admin = await desk().signedInAs("admin");
    const reissue = admin.operators.reissueInvitation.mutate({ operatorId: "\u0000" });
    expect(await refusalOf(reissue)).toBe("BAD_REQUEST");
  });

  test("keep what can be kept of a name that no row can hold", async () => {
    const admin = await desk().signedInAs("admin");
    await admin.operators.invite.mutate({ ...invitation, name: "Ni\u0000na" });
    expect((await admin.operators.list.query()).at(-1)?.name).toBe("Ni\uFFFDna");
  });
});

describe("procedures", () => {
  const body = JSON.stringify({ json: invitation });

  test.for(["https://evil.example", "null"])("change nothing for a page at %s", async (origin) => {
    const cookie = await cookieOf("admin");
    const answer = await ask("operators.invite", mutation(body, { origin, cookie }));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("origin_not_trusted");
    expect(await database().db.$count(user)).toBe(4);
  });

  test.for(["localhost", "127.0.0.1"])("serve the desk's own pages at %s", async (host) => {
    const cookie = await cookieOf("admin");
    const origin = desk().url.replace("localhost", host);
    const answer = await ask("operators.invite", mutation(body, { origin, cookie }));
    expect(answer.status).toBe(200);
  });

  test("change nothing when asked by a link", async () => {
    const input = encodeURIComponent(body);
    const answer = await ask(`operators.invite?input=${input}`, {
      headers: { cookie: await cookieOf("admin") },
    });
    expect(answer.status).toBe(405);
    expect(await database().db.$count(user)).toBe(4);
  });

  test("refuse more than a page sends: in one call, and as one batch", async () => {
    const cookie = await cookieOf("admin");
    const large = JSON.stringify({ json: { email: "x".repeat(1024 * 1024 + 1) } });
    expect((await ask("operators.invite", mutation(large, { cookie }))).status).toBe(413);
    const many = Array.from({ length: 21 }, () => "operators.me").join(",");
    expect((await ask(`${many}?batch=1&input=%7B%7D`, { headers: { cookie } })).status).toBe(400);
  });

  test("say nothing of a fault of ours but that it is one, and log its cause", async () => {
    const cookie = await cookieOf("admin");
    await database().sql`alter table operator_invitations rename to away`;
    const answer = await ask("operators.list", { headers: { cookie } });
    await database().sql`alter table away rename to operator_invitations`;
    expect(answer.status).toBe(500);
    const said = await answer.text();
    expect(said).toContain('"message":"INTERNAL_SERVER_ERROR"');
    expect(said).not.toMatch(/stack|operator_invitations|select/);
    expect(desk().logged()).toContain('relation \\"operator_invitations\\" does not exist');
  });

  // A failed statement's error repeats its parameters, and a log is read by more people than the database.
  test("log no password, not even as a hash, when saving it fails", async () => {
    const admin = await desk().signedInAs("admin");
    const { link } = await admin.operators.invite.mutate(invitation);
    const acceptance = {
      token: link.split("#token=")[1] ?? "",
      name: "Nina N",
      password: "a password of hers",
    };
    await database().sql`alter table account rename to away`;
    const refusal = await refusalOf(desk().client().operators.acceptInvitation.mutate(acceptance));
    await database().sql`alter table away rename to account`;
    expect(refusal).toBe("INTERNAL_SERVER_ERROR");
    expect(desk().logged()).toContain('relation \\"account\\" does not exist');
    expect(desk().logged()).not.toMatch(/password of hers|[0-9a-f]{32}:[0-9a-f]{64}/);
  });

  test("keep no answer in any cache", async () => {
    const answer = await ask("operators.me", { headers: { cookie: await cookieOf("ops") } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
