import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  stripSearchParams,
} from "@tanstack/react-router";
import { BootScreen } from "./boot-screen.tsx";
import { DeskLayout } from "./layout/desk-layout.tsx";
import {
  EVENT_SEARCH_DEFAULTS,
  eventSearch,
  ORDER_SEARCH_DEFAULTS,
  orderSearch,
  signInSearch,
} from "./list-search.ts";
import { NotFound } from "./not-found.tsx";
import { PATHS } from "./paths.ts";
import { RouteError } from "./route-error.tsx";
import { isSignedOut, queryClient, trpc } from "./trpc.ts";

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PATHS.signIn,
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import("../features/sign-in/sign-in-page.tsx"), "SignInPage"),
});

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PATHS.welcome,
  component: lazyRouteComponent(() => import("../features/sign-in/welcome-page.tsx"), "WelcomePage"),
});

const deskRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "desk",
  component: DeskLayout,
  // Nothing of the desk is drawn before the server has said who is asking.
  beforeLoad: async ({ location }) => {
    try {
      const desk = await queryClient.fetchQuery({
        ...trpc.operators.me.queryOptions(),
        staleTime: 60_000,
      });
      return { desk };
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: PATHS.signIn, search: { next: location.href } });
      throw error;
    }
  },
});

const homeRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.home,
  beforeLoad: () => {
    throw redirect({ to: PATHS.events, replace: true });
  },
});

const eventsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.events,
  validateSearch: eventSearch,
  search: { middlewares: [stripSearchParams(EVENT_SEARCH_DEFAULTS)] },
  component: lazyRouteComponent(() => import("../features/events/events-page.tsx"), "EventsPage"),
});

const eventRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.event,
  component: lazyRouteComponent(() => import("../features/events/event-page.tsx"), "EventPage"),
});

const ordersRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.orders,
  validateSearch: orderSearch,
  search: { middlewares: [stripSearchParams(ORDER_SEARCH_DEFAULTS)] },
  component: lazyRouteComponent(() => import("../features/orders/orders-page.tsx"), "OrdersPage"),
});

const orderRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.order,
  component: lazyRouteComponent(() => import("../features/orders/order-page.tsx"), "OrderPage"),
});

const chaosRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.chaos,
  component: lazyRouteComponent(() => import("../features/chaos/chaos-page.tsx"), "ChaosPage"),
});

const operatorsRoute = createRoute({
  getParentRoute: () => deskRoute,
  path: PATHS.operators,
  component: lazyRouteComponent(() => import("../features/settings/operators-page.tsx"), "OperatorsPage"),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    welcomeRoute,
    deskRoute.addChildren([
      homeRoute,
      eventsRoute,
      eventRoute,
      ordersRoute,
      orderRoute,
      chaosRoute,
      operatorsRoute,
    ]),
  ]),
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: BootScreen,
  defaultPendingMs: 400,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
