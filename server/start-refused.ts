/**
 * The start cannot go on and a person can mend it. The message says what happened, what it means and what to
 * do; main.ts prints it without a stack, since the cause is not in the code.
 */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}
