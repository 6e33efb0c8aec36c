import { useEffect, useMemo, useRef, useState } from "react";
import type { SessionGroup } from "./group-sessions.ts";
import { holdOrder } from "./held-order.ts";

export interface HeldNeeds {
  readonly groups: readonly SessionGroup[];
  readonly waiting: number;
  /** Shows the waiting ones. */
  readonly release: () => void;
  readonly listeners: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
}

/** Keeps the rows that need a person in place while the pointer or the focus is in the list. */
export function useHeldNeeds(groups: readonly SessionGroup[]): HeldNeeds {
  const [hasPointer, setPointer] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [, setReleased] = useState(0);
  // No event reports that the focused element was removed, such as the button of a resolved row.
  useEffect(() => {
    if (hasFocus && document.activeElement === document.body) setFocus(false);
  });
  const shown = useRef<readonly string[] | null>(null);
  const needs = groups.find(({ key }) => key === "needs-you");
  const next = useMemo(() => needs?.sessions.map(({ id }) => id) ?? [], [needs]);
  const isHeld = (hasPointer || hasFocus) && shown.current !== null;
  const { ids, waiting } = holdOrder(shown.current ?? next, next, isHeld);
  shown.current = ids;
  const release = (): void => {
    shown.current = null;
    setReleased((count) => count + 1);
  };
  const order = ids.join("\n");
  const held = useMemo(() => {
    if (needs === undefined) return groups;
    const byId = new Map(needs.sessions.map((session) => [session.id, session]));
    const sessions = order.split("\n").flatMap((id) => byId.get(id) ?? []);
    return groups.map((group) => (group === needs ? { ...group, sessions } : group));
  }, [groups, needs, order]);
  return {
    groups: held,
    waiting,
    release,
    listeners: {
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: () => setFocus(false),
    },
  };
}
