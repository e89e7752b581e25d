import type { ChaosView } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { Card } from "../../ui/card.tsx";
import { FactList } from "../../ui/fact-list.tsx";
import { formatCount } from "../../ui/format-count.ts";
import styles from "./chaos.module.css";

/** What this run of chaos did, or the last one. */
export function ChaosDeeds({ run }: { run: ChaosView["run"] }) {
  return (
    <Card title={m.chaos_deeds()}>
      {run === null ? (
        <p className={styles.lead}>{m.chaos_deeds_none()}</p>
      ) : (
        <FactList facts={factsOf(run)} />
      )}
    </Card>
  );
}

function factsOf({ deliveries, tally, takenOver }: NonNullable<ChaosView["run"]>) {
  const { claimed, redeliveries, twins, unreadable } = deliveries;
  const facts: [string, number][] = [
    [m.chaos_deliveries(), claimed + redeliveries + twins + unreadable],
    [m.chaos_redeliveries(), redeliveries],
    [m.chaos_arrived_twins(), twins],
    [m.chaos_slowed(), tally.answersSlowed],
    [m.chaos_failed(), tally.answersFailed],
    [m.chaos_workers_killed(), tally.workersKilled],
    [m.chaos_taken_over(), takenOver],
    [m.chaos_databases_killed(), tally.databaseKills],
  ];
  return facts.map(([label, count]) => ({ label, value: formatCount(count) }));
}
