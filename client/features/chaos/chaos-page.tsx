import { Button } from "@mantine/core";
import { useState } from "react";
import { CHAOS_SWITCHES } from "#shared/chaos.ts";
import type { ChaosChange } from "#shared/desk-inputs.ts";
import type { ChaosView } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { useDesk } from "../../app/desk.tsx";
import { useLive, usePauseWhile } from "../../app/live.tsx";
import { isNotFound, isUnanswered } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { Columns } from "../../ui/card.tsx";
import { Clock } from "../../ui/clock.tsx";
import { DetailSkeleton } from "../../ui/detail-skeleton.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { formatClock } from "../../ui/format-instant.ts";
import { GuardedButton } from "../../ui/guarded-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { roleRefusal } from "../../ui/role-refusal.ts";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { useZone } from "../../ui/zone.tsx";
import styles from "./chaos.module.css";
import { ChaosBooks } from "./chaos-books.tsx";
import { ChaosDeeds } from "./chaos-deeds.tsx";
import { ChaosSwitches } from "./chaos-switches.tsx";
import { ConfirmKillDialog } from "./confirm-kill-dialog.tsx";
import { useChaos } from "./use-chaos.ts";

/** Where anybody may break what they can, and watch the count stay at one. */
export function ChaosPage() {
  const { state, ...acts } = useChaos();
  return (
    <Clock serverNow={state.data?.now} receivedAt={state.dataUpdatedAt}>
      {state.data ? (
        <ChaosDesk view={state.data} hasFailed={state.isRefetchError || state.failureCount > 1} {...acts} />
      ) : (
        <>
          <PageHeader title={m.nav_chaos()}>{m.chaos_lead()}</PageHeader>
          {isNotFound(state.error) ? (
            <EmptyState title={OUTCOMES.only_in_sandbox.label}>
              {m.refused_text(OUTCOMES.only_in_sandbox)}
            </EmptyState>
          ) : state.isError ? (
            <ErrorState
              title={m.chaos_error()}
              onRetry={() => void state.refetch()}
              isRetrying={state.isFetching}
            >
              {isUnanswered(state.error) ? m.error_unreachable() : m.error_server()}
            </ErrorState>
          ) : (
            <DetailSkeleton />
          )}
        </>
      )}
    </Clock>
  );
}

interface ChaosDeskProps extends Omit<ReturnType<typeof useChaos>, "state"> {
  view: ChaosView;
  hasFailed: boolean;
}

function ChaosDesk({ view, hasFailed, asked, problem, ask }: ChaosDeskProps) {
  const { operator } = useDesk();
  const { isPaused } = useLive();
  const [toConfirm, setToConfirm] = useState<ChaosChange | null>(null);
  usePauseWhile(toConfirm !== null);
  const refusal = roleRefusal(operator.role, { permission: "run_chaos", what: m.nav_chaos() });

  /** A killed database concerns everybody who is signed in, so that it is asked about first. */
  const request = (change: ChaosChange) =>
    change.switches.database_kills === true ? setToConfirm(change) : ask(change);
  const confirm = (change: ChaosChange) => {
    setToConfirm(null);
    ask(change);
  };

  return (
    <>
      <PageHeader
        title={m.nav_chaos()}
        actions={
          <>
            <Button
              disabled={refusal !== undefined || !view.run?.isOn}
              onClick={() => request({ switches: everything(false, view) })}
            >
              {m.chaos_all_off()}
            </Button>
            <GuardedButton
              variant="filled"
              refusal={refusal}
              onClick={() => request({ switches: everything(true, view) })}
            >
              {m.chaos_all_on()}
            </GuardedButton>
          </>
        }
      >
        <p>{m.chaos_lead()}</p>
        <RunSentence run={view.run} />
      </PageHeader>
      <div role="alert">{problem !== undefined && <p className={styles.problem}>{problem}</p>}</div>
      <StaleNotice readAt={view.now} hasFailed={hasFailed} isPaused={isPaused} />
      <ChaosBooks books={view.books} />
      <Columns
        main={<ChaosSwitches settings={view} asked={asked} refusal={refusal} onChange={request} />}
        side={<ChaosDeeds run={view.run} />}
      />
      <ConfirmKillDialog
        change={toConfirm}
        databaseSeconds={view.databaseSeconds}
        onClose={() => setToConfirm(null)}
        onConfirm={confirm}
      />
    </>
  );
}

function everything(isOn: boolean, { mayKillDatabase }: ChaosView): ChaosChange["switches"] {
  const names = CHAOS_SWITCHES.filter((name) => name !== "database_kills" || mayKillDatabase);
  return Object.fromEntries(names.map((name) => [name, isOn]));
}

function RunSentence({ run }: { run: ChaosView["run"] }) {
  const zone = useZone();
  if (run === null) return <p>{m.chaos_calm()}</p>;
  const span = { from: formatClock(run.startedAt, zone), to: formatClock(run.endsAt, zone) };
  return <p>{run.isOn ? m.chaos_running(span) : m.chaos_last_run(span)}</p>;
}
