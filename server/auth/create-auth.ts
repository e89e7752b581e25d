import { type IncomingHttpHeaders } from "node:http";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { fromNodeHeaders } from "better-auth/node";
import type { RequestHandler } from "express";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "#shared/desk-inputs.ts";
import { ROLES, type Role } from "#shared/roles.ts";
import type { Db } from "../db/client.ts";
import { account, rateLimit, session, user, verification } from "../db/schema/sign-in.ts";
import type { Log } from "../log.ts";
import { authHandler, CLIENT_ADDRESS_HEADER } from "./auth-handler.ts";
import type { Operator } from "./operators.ts";

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

export interface Auth {
  /** Everything under /api/auth, mounted with its path left whole. */
  handler: RequestHandler;
  /** Who the cookie in the headers belongs to, and what to send back so that a session in use lives on. */
  sessionOf: (headers: IncomingHttpHeaders) => Promise<{ operator: Operator | null; setCookies: string[] }>;
  isTrustedOrigin: (origin: string) => boolean;
}

const SESSION_SECONDS = 12 * 3600;
/** A session older than this is prolonged when it is used: not at each request, which would write each time. */
const PROLONG_AFTER_SECONDS = 15 * 60;
const SIGN_INS_PER_MINUTE = 10;

/**
 * Sign-in with e-mail and password. Nobody can sign up: operators come by invitation (invite.ts). Sessions live in the
 * database and are read at each request, so that one that was ended is ended at once.
 */
export function createAuth(options: AuthOptions): Auth {
  const origins = new Set(options.trustedOrigins);
  const auth = createBetterAuth(options);
  return {
    handler: authHandler(auth.handler),
    sessionOf: async (headers) => {
      // Saves a look into the database for whoever brings no cookie at all.
      if (headers.cookie === undefined) return { operator: null, setCookies: [] };
      const found = await auth.api.getSession({ headers: fromNodeHeaders(headers), returnHeaders: true });
      const operator = found.response === null ? null : asOperator(found.response.user);
      return { operator, setCookies: found.headers.getSetCookie() };
    },
    isTrustedOrigin: (origin) => origins.has(origin),
  };
}

function createBetterAuth({ db, secret, baseUrl, trustedOrigins, log, ...options }: AuthOptions) {
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
      cookiePrefix: "einmal",
      useSecureCookies: baseUrl.startsWith("https:"),
      // Our own header: X-Forwarded-For as it comes can be made up by whoever guesses passwords.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    logger: {
      // Its messages name no e-mail address and no password; what it hands over beside them might.
      log: (level, message) => log[level === "error" ? "warn" : "debug"]({ from: "better-auth" }, message),
    },
  });
}

function asOperator(found: { id: string; name: string; email: string; role: string }): Operator | null {
  const role: Role | undefined = ROLES.find((known) => known === found.role);
  return role === undefined ? null : { id: found.id, name: found.name, email: found.email, role };
}
