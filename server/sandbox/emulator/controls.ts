import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { NextFunction, Request, Response } from "express";

/** Requests kept for a look back. A sandbox that runs for weeks must not keep them all. */
const REQUESTS_KEPT = 1000;

export interface RecordedRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  /** The Stripe-Account header; '' if it was absent. */
  account: string;
  idempotencyKey: string | null;
  apiVersion: string | null;
}

interface Matching {
  path: RegExp;
  /** Any method if absent. */
  method?: "GET" | "POST";
}

export interface FailOptions extends Matching {
  /** An HTTP status, or `reset`: the connection breaks without an answer. */
  status: number | "reset";
  /** Answered as JSON, or as it is if it is text. Stripe's usual error of this status if absent. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How many requests; 1 if absent. */
  times?: number;
}

/** What a test, or the sample shop, makes the emulator do wrong. Works on requests that come after the call. */
export interface Controls {
  /** The next matching requests get this answer instead of being carried out. */
  failNext: (options: FailOptions) => void;
  /** The next matching request is carried out and answered only once `until` is settled. */
  delayNext: (options: Matching & { until: Promise<unknown> }) => void;
  /** The next matching request is carried out, and its answer's body goes out as `change` leaves it. */
  answerNext: (
    options: Matching & { change: (body: Record<string, unknown>) => unknown; times?: number },
  ) => void;
  /** From now on the session shows these fields like this, in answers and in events, whatever its state is. */
  mutateSession: (
    sessionId: string,
    patch: Record<string, unknown>,
    options?: { account?: string },
  ) => Promise<void>;
  /** Every request to /v1 that came in, oldest first; only the newest thousand. */
  requests: RecordedRequest[];
}

type Plan = Matching & { left: number } & (
    | { act: "fail"; options: FailOptions }
    | { act: "delay"; until: Promise<unknown> }
    | { act: "change"; change: (body: Record<string, unknown>) => unknown }
  );

/** What befalls a request for no reason of its own: how long it waits, and what it is answered instead, if anything. */
export interface Mishap {
  delayMs: number;
  status: FailOptions["status"] | null;
}

/** Asked for every request that comes in, as long as the emulator runs. */
export type MishapOf = (request: { method: string; path: string }) => Mishap | null;

export interface RequestControls {
  controls: Controls;
  /** Express middleware in front of `/v1`, after the body is parsed. */
  middleware: (request: Request, response: Response, next: NextFunction) => Promise<void>;
}

export function createControls(
  mutateSession: Controls["mutateSession"],
  mishapOf: MishapOf = () => null,
): RequestControls {
  const plans: Plan[] = [];
  const requests: RecordedRequest[] = [];

  function take(act: Plan["act"], request: Request): Plan | null {
    const plan = plans.find(
      (candidate) =>
        candidate.act === act &&
        candidate.left > 0 &&
        candidate.path.test(pathOf(request)) &&
        (candidate.method === undefined || candidate.method === request.method),
    );
    if (!plan) return null;
    plan.left -= 1;
    if (plan.left === 0) plans.splice(plans.indexOf(plan), 1);
    return plan;
  }

  return {
    controls: {
      failNext: (options) => plans.push({ ...options, left: options.times ?? 1, act: "fail", options }),
      delayNext: ({ until, ...matching }) => plans.push({ ...matching, left: 1, act: "delay", until }),
      answerNext: ({ change, times, ...matching }) =>
        plans.push({ ...matching, left: times ?? 1, act: "change", change }),
      mutateSession,
      requests,
    },
    middleware: async (request, response, next) => {
      requests.push(recorded(request));
      if (requests.length > REQUESTS_KEPT) requests.shift();
      // All at its arrival: a request that waits must not leave what was meant for it to one that overtakes it.
      const [delay, failure, change] = [
        take("delay", request),
        take("fail", request),
        take("change", request),
      ];
      if (delay?.act === "delay") await delay.until.catch(() => {});
      const mishap = mishapOf({ method: request.method, path: pathOf(request) });
      if (mishap && mishap.delayMs > 0) await wait(mishap.delayMs, undefined, { ref: false });
      if (mishap && mishap.status !== null)
        return fail(request, response, { path: /./, status: mishap.status });
      if (failure?.act === "fail") return fail(request, response, failure.options);
      if (change?.act === "change") {
        const answer = response.json.bind(response);
        response.json = (body: Record<string, unknown>) => answer(change.change(body));
      }
      next();
    },
  };
}

function pathOf(request: Request): string {
  return request.originalUrl.split("?")[0] ?? "";
}

function recorded(request: Request): RecordedRequest {
  return {
    method: request.method,
    path: pathOf(request),
    query: { ...request.query },
    body: bodyOf(request),
    account: request.get("stripe-account") ?? "",
    idempotencyKey: request.get("idempotency-key") ?? null,
    apiVersion: request.get("stripe-version") ?? null,
  };
}

function bodyOf(request: Request): Record<string, unknown> {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null ? { ...body } : {};
}

async function fail(request: Request, response: Response, options: FailOptions): Promise<void> {
  if (options.status === "reset") {
    // The request's bytes must have been taken, or the client sees a refused write instead of a lost answer.
    await nextTurn();
    request.socket.destroy();
    return;
  }
  response.status(options.status).set(options.headers ?? {});
  if (typeof options.body === "string") response.type("html").send(options.body);
  else response.json(options.body ?? usualError(options.status));
}

function usualError(status: number): Record<string, unknown> {
  if (status === 429) {
    return {
      error: { code: "rate_limit", message: "Request rate limit exceeded.", type: "invalid_request_error" },
    };
  }
  if (status >= 500) {
    return {
      error: { message: "An unknown error occurred. The emulator was told to fail.", type: "api_error" },
    };
  }
  return { error: { message: "The emulator was told to refuse.", type: "invalid_request_error" } };
}
