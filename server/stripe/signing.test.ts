import { createHmac } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { verifySignature, type WebhookSecret } from "./signing.ts";

const SECRET = "whsec_present";
const OLD_SECRET = "whsec_rolled";
const now = new Date("2026-12-01T12:00:00Z");
const nowSeconds = now.getTime() / 1000;
const body = Buffer.from('{"id":"evt_1","object":"event"}');

const plain = (secret: string): WebhookSecret => ({ secret, mode: null });
const v1 = (secret: string, t: number | string = nowSeconds, bytes: Buffer = body) =>
  createHmac("sha256", secret).update(`${t}.`).update(bytes).digest("hex");
const header = (secret: string, t: number = nowSeconds) => `t=${t},v1=${v1(secret, t)}`;
const verify = (
  given: string | undefined,
  secrets: WebhookSecret[] = [plain(SECRET)],
  bytes: Uint8Array = body,
) => {
  const result = verifySignature(bytes, given, { secrets, toleranceSeconds: 300, now });
  return result.ok ? result.secret.secret : result.code;
};

describe("a signature", () => {
  test("of the SDK's own making is accepted", () => {
    const made = Stripe.webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret: SECRET,
      timestamp: nowSeconds,
    });
    expect(verify(made)).toBe(SECRET);
  });

  // While a secret is rolled, Stripe signs with both; a parser that keeps one v1 loses a day of deliveries. C03
  test.for([
    ["old first", `t=${nowSeconds},v1=${v1(OLD_SECRET)},v1=${v1(SECRET)},v0=junk`],
    ["new first", `t=${nowSeconds},v1=${v1(SECRET)},v1=${v1(OLD_SECRET)},v0=junk`],
  ])("of a rolling secret is accepted with the %s, by either secret", ([, rolling]) => {
    expect(verify(rolling)).toBe(SECRET);
    expect(verify(rolling, [plain(OLD_SECRET)])).toBe(OLD_SECRET);
  });

  test("names the secret that made it, whichever place it has in the list", () => {
    const secrets = [plain("whsec_other"), { secret: SECRET, mode: "live" as const }];
    const result = verifySignature(body, header(SECRET), { secrets, toleranceSeconds: 300, now });
    expect(result).toMatchObject({ ok: true, secret: { mode: "live" }, signedAt: now });
  });

  test.for([
    ["exactly at the tolerance", header(SECRET, nowSeconds - 300), SECRET],
    ["a second too old", header(SECRET, nowSeconds - 301), "signature_too_old"],
    [
      "too old and made by a later secret of the list",
      header("whsec_b", nowSeconds - 301),
      "signature_too_old",
    ],
    ["exactly as far in the future as the tolerance", header(SECRET, nowSeconds + 300), SECRET],
    ["a second too far in the future", header(SECRET, nowSeconds + 301), "signature_in_future"],
    ["made by a stranger", header("whsec_stranger"), "signature_invalid"],
    ["with v0 only", `t=${nowSeconds},v0=${v1(SECRET)}`, "signature_invalid"],
    ["with a space after the comma", `t=${nowSeconds}, v1=${v1(SECRET)}`, "signature_invalid"],
    ["with a timestamp that is no number", `t=abc,v1=${v1(SECRET, "NaN")}`, "signature_invalid"],
    ["that is empty", "", "signature_missing"],
    ["that is absent", undefined, "signature_missing"],
    ["that is no signature at all", "hello", "signature_invalid"],
  ] as const)("%s is judged right", ([, given, expected]) => {
    expect(verify(given, [plain(SECRET), plain("whsec_b")])).toBe(expected);
  });

  test("does not survive a single byte changed", () => {
    expect(verify(header(SECRET), [plain(SECRET)], Buffer.from('{"id":"evt_2","object":"event"}'))).toBe(
      "signature_invalid",
    );
    expect(verify(header(SECRET), [plain(SECRET)], new Uint8Array())).toBe("signature_invalid");
  });
});
