import { Skeleton } from "@mantine/core";
import type { EventRow, ReplayForecast } from "#shared/desk-views.ts";
import { useDesk } from "../../../app/desk.tsx";
import { m } from "../../../messages/generated/messages.js";
import { useNow } from "../../../ui/clock.tsx";
import { formatAge } from "../../../ui/format-age.ts";
import { formatCount } from "../../../ui/format-count.ts";
import { formatMoney } from "../../../ui/format-money.ts";
import { forecastSentences } from "./forecast-sentences.ts";
import styles from "./replay-dialog.module.css";

interface ForecastPanelProps {
  event: EventRow;
  forecast: ReplayForecast;
}

/** What the replay is about and what it will do. */
export function ForecastPanel({ event, forecast }: ForecastPanelProps) {
  const { timezone } = useDesk();
  const now = useNow();
  return (
    <>
      <p className={styles.about}>
        <Marked
          text={aboutSentence({ event, forecast, now })}
          part={forecast.orderId ?? undefined}
          as="code"
        />
      </p>
      <section className={styles.panel} aria-label={m.forecast_title()}>
        <h3>{m.forecast_title()}</h3>
        <ul className={styles.sentences}>
          {forecastSentences(forecast, timezone).map((sentence) => (
            <li key={sentence.text}>
              <Marked text={sentence.text} part={sentence.emphasis} as="strong" />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

export function ForecastSkeleton() {
  return (
    <div className={styles.panel} aria-busy="true">
      <output className="visually-hidden">{m.forecast_loading()}</output>
      <Skeleton height={11} width={110} my={4} />
      <Skeleton height={11} width="92%" mt={12} />
      <Skeleton height={11} width="84%" mt={10} />
      <Skeleton height={11} width="56%" mt={10} mb={4} />
    </div>
  );
}

interface MarkedProps {
  text: string;
  part: string | undefined;
  as: "strong" | "code";
}

// The sentence is whole in the catalogue, so that another language may order it otherwise; the part that
// matters is found in it again.
function Marked({ text, part, as: Mark }: MarkedProps) {
  const start = part === undefined ? -1 : text.indexOf(part);
  if (part === undefined || start < 0) return text;
  return (
    <>
      {text.slice(0, start)}
      <Mark>{part}</Mark>
      {text.slice(start + part.length)}
    </>
  );
}

interface About extends ForecastPanelProps {
  now: Date;
}

function aboutSentence({ event, forecast, now }: About): string {
  const facts = [
    forecast.orderId === null ? m.about_no_order() : m.about_order({ id: forecast.orderId }),
    forecast.creditsExpected === null
      ? null
      : m.count_credits({ count: forecast.creditsExpected, shown: formatCount(forecast.creditsExpected) }),
    forecast.amountTotalMinor === null || forecast.currency === null
      ? null
      : formatMoney({ amountMinor: forecast.amountTotalMinor, currency: forecast.currency }),
    event.phase === "processed" ? null : m.about_waiting({ age: formatAge(event.createdAt, now) }),
  ];
  return m.sentence({ text: facts.filter((fact) => fact !== null).join(", ") });
}
