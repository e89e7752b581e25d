import { type ComponentProps, lazy, Suspense } from "react";
import type { ReplayDialog } from "./replay-dialog.tsx";

const Loaded = lazy(async () => ({ default: (await import("./replay-dialog.tsx")).ReplayDialog }));

/** The replay dialog, fetched after the page itself is drawn: it is there by the time anybody asks for it. */
export function LazyReplayDialog(props: ComponentProps<typeof ReplayDialog>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
