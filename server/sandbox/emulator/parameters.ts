import { z } from "zod";
import { StripeErrorAnswer } from "./stripe-error.ts";

/*
 * Stripe's form parameters: everything arrives as text, an empty string unsets, and a name that Stripe does not
 * know is an error. PostgreSQL cannot keep a NUL, so no text may hold one.
 */
const TEXT_MAX = 5000;
const METADATA_KEYS_MAX = 50;
const METADATA_KEY_MAX = 40;
const METADATA_VALUE_MAX = 500;

export const text = z
  .string()
  .min(1)
  .max(TEXT_MAX)
  .refine((value) => !value.includes("\u0000") && value.isWellFormed());
const unset = z.literal("").transform(() => undefined);
export const optionalText = z.union([unset, text]).optional();
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);
export const currencyCode = z
  .string()
  .regex(/^[a-zA-Z]{3}$/)
  .transform((code) => code.toLowerCase());
export const expand = z.array(text).max(20).default([]);
/** Stripe takes it, and it changes nothing here. */
export const tolerated = z.unknown().optional();

/** New values by key; an empty value takes the key away. */
export const metadata = z
  .union([
    z.literal("").transform(() => ({})),
    z.record(
      z
        .string()
        .min(1)
        .max(METADATA_KEY_MAX)
        .regex(/^[^[\]]+$/),
      z.union([z.literal(""), text.max(METADATA_VALUE_MAX)]),
    ),
  ])
  .default({});

export const page = {
  limit: wholeNumber.refine((limit) => limit >= 1 && limit <= 100).default(10),
  starting_after: optionalText,
  ending_before: optionalText,
  expand,
};

/** Metadata after an update. Throws if it would hold more keys than Stripe keeps. */
export function mergeMetadata(
  before: Record<string, string>,
  changes: Record<string, string>,
): Record<string, string> {
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ""),
  );
  if (Object.keys(merged).length > METADATA_KEYS_MAX) {
    throw new StripeErrorAnswer(`You can have up to ${METADATA_KEYS_MAX} metadata keys.`, {
      param: "metadata",
    });
  }
  return merged;
}

/** Parameters as their endpoint wants them. Throws the 400 that Stripe answers, naming the parameter. */
export function readParameters<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const param = paramAt([...issue.path, issue.keys[0] ?? ""]);
    throw new StripeErrorAnswer(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  }
  const path = issue?.path ?? [];
  const param = paramAt(path);
  if (valueAt(given, path) === undefined) {
    throw new StripeErrorAnswer(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  throw new StripeErrorAnswer(`Invalid ${param}.`, { code: "parameter_invalid", param });
}

function paramAt(path: readonly PropertyKey[]): string {
  const [first = "", ...rest] = path.map(String);
  return first + rest.map((step) => `[${step}]`).join("");
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = given;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
