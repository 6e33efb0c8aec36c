import type { Clock } from "../ports/host.ts";
import type { Activity } from "./activity.ts";

export interface Repeated {
  readonly clock: Clock;
  readonly activity: Activity;
  /** A function if it depends on the load. */
  readonly pauseMs: number | (() => number);
  /** Must handle its own failures. */
  readonly work: () => Promise<void>;
}

/** Repeats work with a pause before each run; returns a function that stops it, even during a run. */
export function repeat({ clock, activity, pauseMs, work }: Repeated): () => void {
  let closed = false;
  let cancel = (): void => undefined;
  const wait = (): void => {
    if (closed) return;
    cancel = clock.after(typeof pauseMs === "number" ? pauseMs : pauseMs(), () => {
      const end = activity.begin();
      void work().finally(() => {
        wait();
        end();
      });
    });
  };
  wait();
  return () => {
    closed = true;
    cancel();
  };
}
