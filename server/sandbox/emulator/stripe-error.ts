/** An answer other than 200, in the shape and with the words' structure of Stripe's errors. */
export class StripeErrorAnswer extends Error {
  override name = "StripeErrorAnswer";
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly type: string;

  constructor(
    message: string,
    options: { status?: number; code?: string; param?: string; type?: string } = {},
  ) {
    super(message);
    this.status = options.status ?? 400;
    this.code = options.code ?? null;
    this.param = options.param ?? null;
    this.type = options.type ?? "invalid_request_error";
  }
}

/** The body Stripe sends with an error. */
export function errorBody(error: StripeErrorAnswer): Record<string, unknown> {
  return {
    error: {
      ...(error.code !== null && { code: error.code }),
      message: error.message,
      ...(error.param !== null && { param: error.param }),
      type: error.type,
    },
  };
}

/** Stripe names the object in its answer as its address does: checkout.session, not Checkout Session. */
export function missing(kind: string, id: string, param = "id"): StripeErrorAnswer {
  return new StripeErrorAnswer(`No such ${kind}: '${id}'`, { status: 404, code: "resource_missing", param });
}
