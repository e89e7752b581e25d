import type { IncomingHttpHeaders } from "node:http";
import { fromNodeHeaders } from "better-auth/node";
import type { RequestHandler } from "express";
import { ROLES, type Role } from "#shared/roles.ts";
import { authHandler } from "./auth-handler.ts";
import { type AuthOptions, createBetterAuth } from "./better-auth.ts";
import type { Operator } from "./operators.ts";

export interface Auth {
  /** Everything under /api/auth, mounted with its path left whole. */
  handler: RequestHandler;
  /** Who the cookie in the headers belongs to, and what to send back so that a session in use lives on. */
  sessionOf: (headers: IncomingHttpHeaders) => Promise<{ operator: Operator | null; setCookies: string[] }>;
  isTrustedOrigin: (origin: string) => boolean;
}

/**
 * Sign-in with e-mail and password. Nobody can sign up: operators come by invitation (invite.ts). Sessions live in the
 * database and are read at each request, so that one that was ended is ended at once.
 */
export function createAuth(options: AuthOptions): Auth {
  const origins = new Set(options.trustedOrigins);
  const isTrustedOrigin = (origin: string) => origins.has(origin);
  const auth = createBetterAuth(options);
  return {
    handler: authHandler({ handle: auth.handler, isTrustedOrigin }),
    sessionOf: async (headers) => {
      // Saves a look into the database for whoever brings no cookie at all.
      if (headers.cookie === undefined) return { operator: null, setCookies: [] };
      const found = await auth.api.getSession({ headers: fromNodeHeaders(headers), returnHeaders: true });
      const operator = found.response === null ? null : asOperator(found.response.user);
      return { operator, setCookies: found.headers.getSetCookie() };
    },
    isTrustedOrigin,
  };
}

function asOperator(found: { id: string; name: string; email: string; role: string }): Operator | null {
  const role: Role | undefined = ROLES.find((known) => known === found.role);
  return role === undefined ? null : { id: found.id, name: found.name, email: found.email, role };
}
