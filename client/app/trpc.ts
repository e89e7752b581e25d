import { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import superjson from "superjson";
import { OUTCOMES } from "#shared/outcomes.ts";
import type { AppRouter } from "#server/trpc/router.ts";

const RETRIES_MAX = 2;
/** The server refuses larger batches. */
const BATCH_MAX = 10;

function isDeskError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}

/** The answer of the server, or undefined when none arrived. */
function serverCode(error: unknown): string | undefined {
  return isDeskError(error) ? error.data?.code : undefined;
}

/** Why the server refused, in the catalogue's words, or null when it gave no such reason. */
export function refusalOf(error: unknown): { label: string; meaning: string; nextStep: string } | null {
  const code = isDeskError(error) ? error.data?.outcomeCode : null;
  return code ? OUTCOMES[code] : null;
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
  links: [
    splitLink({
      condition: ({ path }) => path === "operators.invitation",
      // In the body, since a one-time token in an address would stand in every access log on its way.
      true: httpLink({ url: "/trpc", transformer: superjson, methodOverride: "POST" }),
      false: httpBatchLink({ url: "/trpc", transformer: superjson, maxItems: BATCH_MAX }),
    }),
  ],
});

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
