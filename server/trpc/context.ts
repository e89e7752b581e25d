import type { Request, Response } from "express";
import type { DeskContext } from "#shared/desk-views.ts";
import type { Auth } from "../auth/create-auth.ts";
import type { Operator } from "../auth/operators.ts";
import type { Chaos } from "../chaos/change.ts";
import type { Db } from "../db/client.ts";
import type { Log } from "../log.ts";
import type { ReplayRules } from "../replays/forecast.ts";

/** What the procedures work with, the same for every request of a process. */
export interface DeskDeps {
  db: Db;
  auth: Auth;
  log: Log;
  /** Tells the workers that something is due; called after a commit. */
  onDue: () => void;
  /** Where the desk is reached from outside, for the links it hands out. Without a slash at its end. */
  deskUrl: string;
  rules: ReplayRules;
  installation: Omit<DeskContext, "operator">;
  /** Null outside a sandbox. */
  chaos: Chaos | null;
}

export interface Context extends DeskDeps {
  /** Null when nobody is signed in. Read anew for each request, so that a role taken away is gone at once. */
  operator: Operator | null;
  /** False if a browser says that the request comes from a page that is not the desk's. */
  isFromTrustedOrigin: boolean;
}

/**
 * Finds out who asks. A session that is used lives on, so its renewed cookie goes out with the answer.
 */
export async function createContext(
  deps: DeskDeps,
  { req, res }: { req: Request; res: Response },
): Promise<Context> {
  const { operator, setCookies } = await deps.auth.sessionOf(req.headers);
  for (const cookie of setCookies) res.append("set-cookie", cookie);
  const { origin } = req.headers;
  return {
    ...deps,
    operator,
    isFromTrustedOrigin: origin === undefined || deps.auth.isTrustedOrigin(origin),
  };
}
