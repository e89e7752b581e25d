/**
 * The id in what a person pasted: without white space, and out of the address of a Stripe dashboard page, where it is
 * the last part of the path.
 */
export function idFrom(pasted: string): string {
  const text = pasted.replaceAll(/\s/g, "");
  if (!/^https?:\/\//i.test(text)) return text;
  const path = text.replace(/[?#].*$/s, "").split("/");
  return path.findLast((part) => part !== "") ?? text;
}
