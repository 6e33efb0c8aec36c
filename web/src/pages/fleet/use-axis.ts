import { type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { onTick, readNow, useNow } from "../../lib/now.ts";
import type { StripFrame } from "../../lib/strip-geometry.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface Axis {
  readonly frame: StripFrame;
  /** The element whose strips move. */
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** The shared axis of a list. It is drawn once a minute; in between a transform moves everything on it every second. */
export function useAxis(hours: number, width: number): Axis {
  const ref = useRef<HTMLDivElement>(null);
  const to = useNow((now) => Math.floor(now / MINUTE) * MINUTE);
  const frame = useMemo(() => ({ from: to - hours * HOUR, to, width }), [to, hours, width]);
  useEffect(() => {
    const move = (): void => {
      ref.current?.style.setProperty("--axis-shift", String((readNow() - to) / (hours * HOUR)));
    };
    move();
    return onTick(move);
  }, [to, hours]);
  return { frame, ref };
}

/** Does a media query match? */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
