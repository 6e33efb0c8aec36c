import { type RefCallback, useCallback, useRef, useState } from "react";
import type { ListItem } from "./list-items.ts";

/** The usual height of a second line, until it is measured. */
const LINE = 34;

export interface TallRows {
  heightOf(item: ListItem): number;
  /** Follows the height of the row with this key. */
  measure(key: string): RefCallback<HTMLElement>;
}

/** The heights of rows whose buttons or message field take lines of their own. */
export function useTallRows(): TallRows {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const refs = useRef(new Map<string, RefCallback<HTMLElement>>());
  const measure = useCallback((key: string) => {
    const ref =
      refs.current.get(key) ?? followHeight((height) => setHeights((before) => withHeight(before, key, height)));
    refs.current.set(key, ref);
    return ref;
  }, []);
  return { heightOf: ({ key, height }) => heights.get(key) ?? height + LINE, measure };
}

function withHeight(before: ReadonlyMap<string, number>, key: string, height: number): ReadonlyMap<string, number> {
  return before.get(key) === height ? before : new Map(before).set(key, height);
}

function followHeight(onHeight: (height: number) => void): RefCallback<HTMLElement> {
  return (element) => {
    if (element === null) return;
    const observer = new ResizeObserver(() => onHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  };
}
