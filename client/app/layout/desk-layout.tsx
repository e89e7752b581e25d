import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { m } from "../../messages/generated/messages.js";
import { Clock } from "../../ui/clock.tsx";
import { ZoneProvider } from "../../ui/zone.tsx";
import { DeskProvider } from "../desk.tsx";
import { useLive } from "../live.tsx";
import { trpc } from "../trpc.ts";
import { Brand } from "./brand.tsx";
import styles from "./desk-layout.module.css";
import { SideNav } from "./side-nav.tsx";
import { TopBar } from "./top-bar.tsx";

const deskRoute = getRouteApi("/desk");
// Only narrow screens need it, and then only once somebody asks for it.
const NavDrawer = lazy(async () => ({ default: (await import("./nav-drawer.tsx")).NavDrawer }));

/** The frame of every page: navigation, top bar, and the counts that both show. */
export function DeskLayout() {
  const { desk } = deskRoute.useRouteContext();
  const { intervalMs } = useLive();
  const events = useQuery({ ...trpc.events.counts.queryOptions(), refetchInterval: intervalMs });
  const orders = useQuery({ ...trpc.orders.counts.queryOptions(), refetchInterval: intervalMs });
  const [isNavOpen, nav] = useDisclosure(false);
  const [wasNavOpened, setNavOpened] = useState(false);
  const toggleNav = () => {
    setNavOpened(true);
    nav.toggle();
  };
  return (
    <DeskProvider value={desk}>
      <ZoneProvider value={desk.timezone}>
        <Clock serverNow={events.data?.now} receivedAt={events.dataUpdatedAt}>
          <a className={styles.skip} href="#content">
            {m.skip_to_content()}
          </a>
          <div className={styles.frame}>
            <div className={styles.side}>
              <SideNav events={events.data} orders={orders.data} head={<Brand />} />
            </div>
            <div className={styles.page}>
              <TopBar
                isFailing={events.isError || events.failureCount > 0}
                isNavOpen={isNavOpen}
                onToggleNav={toggleNav}
              />
              <main id="content" className={styles.main} tabIndex={-1}>
                <Outlet />
              </main>
            </div>
          </div>
          {wasNavOpened && (
            <Suspense>
              <NavDrawer isOpen={isNavOpen} onClose={nav.close}>
                <SideNav events={events.data} orders={orders.data} onFollow={nav.close} />
              </NavDrawer>
            </Suspense>
          )}
        </Clock>
      </ZoneProvider>
    </DeskProvider>
  );
}
