import { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import superjson from "superjson";
import type { AppRouter } from "#server/trpc/router.ts";

const RETRIES_MAX = 2;

/** The answer of the server, or undefined when none arrived. */
function serverCode(error: unknown): string | undefined {
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.code : undefined;
}

/** Whether the server does not know who is asking, because nobody signed in or the session ended. */
export function isSignedOut(error: unknown): boolean {
  return serverCode(error) === "UNAUTHORIZED";
}

/** Whether the server knows who is asking and their role may not have this. */
export function isForbidden(error: unknown): boolean {
  return serverCode(error) === "FORBIDDEN";
}

export function isNotFound(error: unknown): boolean {
  return serverCode(error) === "NOT_FOUND";
}

/** Whether no answer came at all, so that the request may or may not have been carried out. */
export function isUnanswered(error: unknown): boolean {
  return serverCode(error) === undefined;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // A refusal stays a refusal however often it is asked for; only silence and faults are worth another try.
      retry: (failures, error) =>
        failures < RETRIES_MAX && !isSignedOut(error) && !isForbidden(error) && !isNotFound(error),
      retryDelay: 700,
    },
  },
});

const client = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: "/trpc", transformer: superjson })],
});

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
