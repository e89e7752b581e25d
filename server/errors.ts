import { OUTCOMES, type RefusalCode } from "#shared/outcomes.ts";

/**
 * An outcome the caller can act on, as opposed to a bug: which one is its code, and its words come from the one table
 * of outcomes. Whoever faces the outside (trpc/init.ts, an Express handler) translates it once.
 */
export class DomainError extends Error {
  override name = "DomainError";
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    const { meaning, nextStep } = OUTCOMES[code];
    super(`${meaning} ${nextStep}`);
    this.code = code;
  }
}
