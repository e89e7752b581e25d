import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";

const REFRESH_MS = 5_000;

interface Live {
  isPaused: boolean;
  /** What a query of the desk refreshes by. */
  intervalMs: number | false;
  /** Holds refreshing until the returned function is called. */
  pause: () => () => void;
}

const LiveContext = createContext<Live>({
  isPaused: false,
  intervalMs: REFRESH_MS,
  pause: () => () => undefined,
});

/** Refreshes the desk every few seconds, except while somebody is in the middle of an act. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [holds, setHolds] = useState(0);

  const pause = useCallback(() => {
    setHolds((count) => count + 1);
    return () => setHolds((count) => count - 1);
  }, []);

  const live = useMemo<Live>(
    () => ({ isPaused: holds > 0, intervalMs: holds > 0 ? false : REFRESH_MS, pause }),
    [holds, pause],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLive(): Live {
  return useContext(LiveContext);
}

/** Pauses refreshing while `isActive`, so that nothing moves under an operator who is deciding. */
export function usePauseWhile(isActive: boolean): void {
  const { pause } = useLive();
  useEffect(() => (isActive ? pause() : undefined), [isActive, pause]);
}
