import { m } from "../messages/generated/messages.js";
import { EmptyState } from "../ui/empty-state.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { PATHS } from "./paths.ts";

export function NotFound() {
  return (
    <EmptyState
      isPage
      title={m.not_found_title()}
      action={<LinkButton to={PATHS.events}>{m.not_found_action()}</LinkButton>}
    >
      {m.not_found_text()}
    </EmptyState>
  );
}
