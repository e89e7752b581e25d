import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { m } from "../messages/generated/messages.js";
import { ErrorState } from "../ui/error-state.tsx";
import { isUnanswered } from "./trpc.ts";

/** Drawn in place of a page that could not be loaded. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };

  return (
    <ErrorState isPage title={m.error_page_title()} onRetry={retry}>
      {isUnanswered(error) ? m.error_unreachable() : m.error_server()}
    </ErrorState>
  );
}
