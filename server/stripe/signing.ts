import Stripe from "stripe";
import type { RefusalCode } from "#shared/outcomes.ts";

export interface WebhookSecret {
  secret: string;
  /** Which mode this secret is marked for; null if it is not marked. */
  mode: "live" | "test" | null;
}

export type Verification =
  | { ok: true; signedAt: Date; secret: WebhookSecret }
  | {
      ok: false;
      code: Extract<
        RefusalCode,
        "signature_missing" | "signature_invalid" | "signature_too_old" | "signature_in_future"
      >;
    };

export interface VerifyOptions {
  secrets: readonly WebhookSecret[];
  /** Greatest age, and greatest distance into the future, that a signature may have. */
  toleranceSeconds: number;
  now: Date;
}

const signature = signatureChecks();

const TOO_OLD_MARK = "Timestamp outside the tolerance zone";

/**
 * Verifies Stripe's signature over the raw body against every configured secret, and says which one made it.
 * Several secrets serve several endpoints and rotation, during which Stripe sends one v1 per active secret.
 *
 * The SDK refuses what is too old; it accepts any time in the future, so that is checked here.
 */
export function verifySignature(
  body: Uint8Array,
  header: string | undefined,
  { secrets, toleranceSeconds, now }: VerifyOptions,
): Verification {
  if (header === undefined || header === "") return { ok: false, code: "signature_missing" };

  let isTooOld = false;
  for (const secret of secrets) {
    try {
      signature.verifyHeader(
        Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        header,
        secret.secret,
        toleranceSeconds,
        undefined,
        now.getTime(),
      );
    } catch (error) {
      // A stale timestamp is only reported once the signature itself was found good.
      isTooOld ||= error instanceof Error && error.message.includes(TOO_OLD_MARK);
      continue;
    }
    const signedAtSeconds = timestampOf(header);
    // A timestamp that is no number cannot be judged by age. It needs our secret to get here, so it is no
    // attack, and no delivery of Stripe's either.
    if (signedAtSeconds === null) return { ok: false, code: "signature_invalid" };
    if (signedAtSeconds * 1000 > now.getTime() + toleranceSeconds * 1000) {
      return { ok: false, code: "signature_in_future" };
    }
    return { ok: true, signedAt: new Date(signedAtSeconds * 1000), secret };
  }
  return { ok: false, code: isTooOld ? "signature_too_old" : "signature_invalid" };
}

/** The last `t=` of the header, which is the one the SDK verified. */
function timestampOf(header: string): number | null {
  const items = header.split(",").map((item) => item.split("="));
  const seconds = Number(items.findLast(([scheme]) => scheme === "t")?.[1]);
  return Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : null;
}

function signatureChecks() {
  const { signature: checks } = Stripe.webhooks;
  if (checks === null) throw new Error("Bug! The stripe package came without its signature checks.");
  return checks;
}
