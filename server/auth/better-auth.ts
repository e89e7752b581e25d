import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "#shared/desk-inputs.ts";
import { ROLES } from "#shared/roles.ts";
import type { Db } from "../db/client.ts";
import { causeOf } from "../db/errors.ts";
import { account, rateLimit, session, user, verification } from "../db/schema/sign-in.ts";
import type { Log } from "../log.ts";
import { CLIENT_ADDRESS_HEADER } from "./auth-handler.ts";

export interface AuthOptions {
  db: Db;
  secret: string;
  /** Where the desk is reached, such as http://localhost:4242. */
  baseUrl: string;
  /** Addresses whose pages may sign in and act here. */
  trustedOrigins: readonly string[];
  log: Log;
  /** Tries to sign in that one address has in a minute. */
  signInsPerMinute?: number;
}

const SESSION_SECONDS = 12 * 3600;
/** A session older than this is prolonged when it is used: not at each request, which would write each time. */
const PROLONG_AFTER_SECONDS = 15 * 60;
const SIGN_INS_PER_MINUTE = 10;

/** better-auth as we use it: e-mail and password, sessions and limits in the database, and no way to sign up. */
export function createBetterAuth({ db, secret, baseUrl, trustedOrigins, log, ...options }: AuthOptions) {
  return betterAuth({
    appName: "Einmal",
    baseURL: baseUrl,
    basePath: "/api/auth",
    secret,
    trustedOrigins: [...trustedOrigins],
    database: drizzleAdapter(db, {
      provider: "pg",
      schema: { user, session, account, verification, rateLimit },
      transaction: true,
    }),
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
    },
    user: {
      additionalFields: {
        // Not settable by anything that comes in over HTTP: a role is what an admin gave.
        role: { type: [...ROLES], required: true, input: false },
      },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: PROLONG_AFTER_SECONDS },
    rateLimit: {
      // Otherwise it is on in production only.
      enabled: true,
      storage: "database",
      window: 60,
      max: 100,
      customRules: {
        "/sign-in/email": { window: 60, max: options.signInsPerMinute ?? SIGN_INS_PER_MINUTE },
        // The desk asks who is signed in at each page; a limit here would sign a busy office out.
        "/get-session": false,
      },
    },
    advanced: {
      // Said because NODE_ENV=test would otherwise switch the check off.
      disableOriginCheck: false,
      cookiePrefix: "einmal",
      useSecureCookies: baseUrl.startsWith("https:"),
      // Our own header: X-Forwarded-For as it comes can be made up by whoever guesses passwords.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    logger: {
      // Its messages name no e-mail address and no password; what it hands over beside them might, but for errors.
      log: (level, message, ...beside: unknown[]) => {
        const error = beside.find((one) => one instanceof Error);
        log[level === "error" ? "warn" : "debug"]({ from: "better-auth", err: causeOf(error) }, message);
      },
    },
  });
}
