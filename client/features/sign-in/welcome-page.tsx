import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { OUTCOMES } from "#shared/outcomes.ts";
import { PATHS } from "../../app/paths.ts";
import { isNotFound, isUnanswered, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { ErrorState } from "../../ui/error-state.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { roleWord } from "../../ui/state-words.tsx";
import { AcceptForm } from "./accept-form.tsx";
import { Gate } from "./gate.tsx";

/** The token stands in the fragment, which browsers never send, so that no server or proxy logs it. */
function tokenFromFragment(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
}

/** Where a one-time link leads: the new operator chooses a name and a password. */
export function WelcomePage() {
  const [token] = useState(tokenFromFragment);
  const invitation = useQuery({
    ...trpc.operators.invitation.queryOptions({ token }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });

  if (token === "" || invitation.data === null || isNotFound(invitation.error)) {
    return <InvalidLink />;
  }
  if (invitation.isError) {
    return (
      <Gate title={m.welcome_title()} lead={m.welcome_checking()}>
        <ErrorState title={m.welcome_error()} onRetry={() => void invitation.refetch()}>
          {isUnanswered(invitation.error) ? m.error_unreachable() : m.error_server()}
        </ErrorState>
      </Gate>
    );
  }
  if (invitation.data === undefined) {
    return (
      <Gate title={m.welcome_title()} lead={m.welcome_checking()}>
        <Skeleton height={34} mt={8} />
        <Skeleton height={34} mt={14} />
        <Skeleton height={30} mt={14} />
      </Gate>
    );
  }

  const { email, role } = invitation.data;
  return (
    <Gate
      title={m.welcome_title()}
      lead={email === null ? m.welcome_first_admin() : m.welcome_lead({ email, role: roleWord(role) })}
    >
      <AcceptForm token={token} email={email} />
    </Gate>
  );
}

function InvalidLink() {
  const { label, meaning, nextStep } = OUTCOMES.invitation_invalid;
  return (
    <Gate title={label} lead={m.refused_text({ meaning, nextStep })}>
      <LinkButton to={PATHS.signIn}>{m.go_to_sign_in()}</LinkButton>
    </Gate>
  );
}
