/** Where on the bar the handler budget stands, as a fraction of its width. The same for every budget. */
export const BUDGET_TICK = 0.38;

/**
 * How far an age fills its bar, from 0 to 1. Logarithmic, so that seconds and days are both visible,
 * and anchored so that an age of exactly the budget ends at the tick: past the tick is trouble.
 */
export function ageBarFraction(ageSeconds: number, budgetSeconds: number): number {
  const age = Math.max(0, ageSeconds);
  return Math.min(1, (BUDGET_TICK * Math.log1p(age)) / Math.log1p(Math.max(1, budgetSeconds)));
}
