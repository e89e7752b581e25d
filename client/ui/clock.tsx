import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const ClockContext = createContext(new Date(0));

interface ClockProps {
  /** The database's time when the rows were read; undefined while none are here, so the browser's time stands in. */
  serverNow: Date | undefined;
  /** The browser's time at which that answer arrived, in milliseconds. */
  receivedAt: number;
  children: ReactNode;
}

/**
 * The time by which ages below it are counted: the database's, carried on by the browser between two
 * answers. A browser whose clock is wrong by an hour still shows true ages.
 */
export function Clock({ serverNow, receivedAt, children }: ClockProps) {
  const [tick, setTick] = useState(() => Date.now());

  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  const now = serverNow === undefined ? tick : serverNow.getTime() + Math.max(0, tick - receivedAt);
  return <ClockContext value={new Date(now)}>{children}</ClockContext>;
}

/** Now, to the second, by the database's clock. Only below a `Clock`. */
export function useNow(): Date {
  return useContext(ClockContext);
}
