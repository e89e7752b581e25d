import type { ReplayForecast } from "#shared/desk-views.ts";
import { m } from "../../../messages/generated/messages.js";
import { formatAge } from "../../../ui/format-age.ts";
import { formatClock } from "../../../ui/format-instant.ts";
import { formatCount } from "../../../ui/format-count.ts";
import { effectWord } from "../../../ui/state-words.tsx";

/** One thing that will happen, with the part of it that matters most. */
export interface ForecastSentence {
  text: string;
  emphasis?: string;
}

/**
 * What a replay would do, sentence by sentence, in the words its outcome will use. The decision itself is
 * the claim rules'; this only puts it into words.
 */
export function forecastSentences(forecast: ReplayForecast, zone: string): ForecastSentence[] {
  switch (forecast.act) {
    case "refuse":
      return [{ text: heldSentence(forecast, zone) }];
    case "nothing":
      return [{ text: m.forecast_nothing() }, existingSentence(forecast)].filter(isSentence);
    case "take_over":
      return [
        { text: takeOverSentence(forecast) },
        missingSentence(forecast),
        existingSentence(forecast),
        { text: m.forecast_late_write({ worker: forecast.heldBy ?? m.forecast_that_worker() }) },
      ].filter(isSentence);
    case "rearm":
      return [
        { text: m.forecast_rearm({ attempt: nextAttempt(forecast) }) },
        missingSentence(forecast),
        existingSentence(forecast),
      ].filter(isSentence);
    case "offer":
      return [
        { text: offerSentence(forecast) },
        missingSentence(forecast),
        existingSentence(forecast),
      ].filter(isSentence);
  }
}

/** Whether a replay would change anything, so that its button may be pressed. */
export function canReplay(forecast: ReplayForecast): boolean {
  return forecast.act !== "refuse" && forecast.act !== "nothing";
}

function isSentence(sentence: ForecastSentence | null): sentence is ForecastSentence {
  return sentence !== null;
}

function nextAttempt(forecast: ReplayForecast): number {
  return forecast.attempt + 1;
}

function heldSentence({ heldBy, leaseUntil, now }: ReplayForecast, zone: string): string {
  if (heldBy === null || leaseUntil === null || leaseUntil <= now) return m.forecast_held_unnamed();
  return m.forecast_held({ worker: heldBy, until: formatClock(leaseUntil, zone) });
}

function takeOverSentence(forecast: ReplayForecast): string {
  const attempt = nextAttempt(forecast);
  if (forecast.heldBy === null || forecast.leaseUntil === null)
    return m.forecast_take_over_unnamed({ attempt });
  return m.forecast_take_over({
    worker: forecast.heldBy,
    age: formatAge(forecast.leaseUntil, forecast.now),
    attempt,
  });
}

function offerSentence(forecast: ReplayForecast): string {
  const attempt = nextAttempt(forecast);
  if (forecast.phase === "retrying") return m.forecast_offer_retrying({ attempt });
  if (forecast.phase === "processed") return m.forecast_offer_recorded({ attempt });
  return m.forecast_offer({ attempt });
}

function missingSentence(forecast: ReplayForecast): ForecastSentence {
  if (forecast.missingEffects.length === 0) {
    const isUnpaid = forecast.orderState !== null && forecast.existingEffects.length === 0;
    return { text: isUnpaid ? m.forecast_unpaid() : m.forecast_nothing_missing() };
  }
  const works = forecast.missingEffects.map((kind) =>
    kind === "grant_credits" && forecast.creditsExpected !== null
      ? m.effect_to_grant({ count: forecast.creditsExpected, shown: formatCount(forecast.creditsExpected) })
      : effectWord(kind).toLowerCase(),
  );
  const emphasis = new Intl.ListFormat("en", { type: "unit" }).format(works);
  return { text: m.forecast_missing({ effects: emphasis }), emphasis };
}

function existingSentence({ existingEffects, now }: ReplayForecast): ForecastSentence | null {
  if (existingEffects.length === 0) return null;
  const effects = existingEffects.map((effect) =>
    m.effect_existing({
      effect: effectWord(effect.kind).toLowerCase(),
      age: formatAge(effect.createdAt, now),
    }),
  );
  return {
    text: m.forecast_existing({ effects: new Intl.ListFormat("en", { type: "unit" }).format(effects) }),
  };
}
