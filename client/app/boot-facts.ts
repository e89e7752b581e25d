import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";

const bootFacts = z.object({
  mode: z.enum(["sandbox", "test", "live"]),
  version: z.string(),
  /** The sandbox's made-up operators; never sent by any other mode. */
  signIns: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })).optional(),
});
export type BootFacts = z.infer<typeof bootFacts>;

/** What the desk may know before anybody signs in, or null when the server does not say. */
export const bootFactsQuery = queryOptions({
  queryKey: ["boot-facts"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: async (): Promise<BootFacts | null> => {
    const answer = await fetch("/boot.json").catch(() => null);
    if (!answer?.ok) return null;
    const facts = bootFacts.safeParse(await answer.json().catch(() => null));
    return facts.success ? facts.data : null;
  },
});
