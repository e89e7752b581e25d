import type { QueryClient } from "@tanstack/react-query";
import type { router as appRouter } from "./router.tsx";
import { PATHS } from "./paths.ts";
import { isSignedOut } from "./trpc.ts";

/** Sends the operator to sign in when the server stops knowing them, and notes where to come back to. */
export function sendToSignInWhenSignedOut(queryClient: QueryClient, router: typeof appRouter): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "error" || !isSignedOut(event.action.error)) return;
    const { pathname, href } = router.state.location;
    if (pathname === PATHS.signIn || pathname === PATHS.welcome) return;
    void router.navigate({ to: PATHS.signIn, search: { next: href } });
  });
}
