/** The addresses of the desk. Every link names one of these, so that a renamed page is renamed once. */
export const PATHS = {
  home: "/",
  signIn: "/sign-in",
  welcome: "/welcome",
  events: "/events",
  event: "/events/$eventId",
  orders: "/orders",
  order: "/orders/$orderId",
  chaos: "/chaos",
  operators: "/settings/operators",
} as const;
