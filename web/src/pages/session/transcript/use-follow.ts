import { type RefObject, useLayoutEffect, useRef } from "react";

interface Options {
  readonly rows: readonly { readonly id: string }[];
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  readonly at: number | null;
  /** The start of what is loaded came into view. */
  readonly onTop: () => void;
}

/** This close to the end counts as the end, in pixels. */
const NEAR_END = 40;
const NEAR_TOP = 300;

/** Keeps a list at its end while following, and in place while older rows are added above. */
export function useFollow({ rows, isFollowing, onFollow, at, onTop }: Options): {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly onScroll: () => void;
} {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef({ first: "", height: 0 });
  const first = rows[0]?.id ?? "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs whenever the rows change
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    if (before.current.first !== "" && before.current.first !== first && !isFollowing) {
      element.scrollTop += element.scrollHeight - before.current.height;
    }
    if (isFollowing) element.scrollTop = element.scrollHeight;
    before.current = { first, height: element.scrollHeight };
  }, [rows, first, isFollowing]);

  useLayoutEffect(() => {
    if (at === null || first === "") return;
    const found = [...(list.current?.querySelectorAll<HTMLElement>("[data-at]") ?? [])];
    const target = found.findLast(({ dataset }) => Number(dataset["at"]) <= at) ?? found[0];
    target?.scrollIntoView({ block: "start" });
  }, [at, first]);

  const onScroll = (): void => {
    const element = list.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    if (isAtEnd !== isFollowing) onFollow(isAtEnd);
    if (element.scrollTop < NEAR_TOP) onTop();
  };
  return { list, onScroll };
}
