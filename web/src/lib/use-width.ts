import { type RefCallback, useCallback, useState } from "react";

/** The current width of an element in pixels; a guess until it is measured. */
export function useWidth(guess: number): readonly [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(guess);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
