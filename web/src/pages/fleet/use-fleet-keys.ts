import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { dismissNeed } from "../../data/need-writes.ts";
import { interruptTurn, mergePullRequest, restoreSession, stopSession } from "../../data/session-writes.ts";
import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { useHref } from "../../lib/url-state.ts";
import { stepSelection } from "./list-items.ts";
import { type NeedButton, needButtons, sessionPath } from "./need-buttons.ts";
import { runNeedButton } from "./run-need-button.ts";

interface Input {
  readonly sessions: readonly SessionView[];
  /** The order of `j` and `k`. */
  readonly ids: readonly string[];
  readonly selected: string | null;
  readonly select: (id: string | null) => void;
  readonly filterField: RefObject<HTMLInputElement | null>;
}

export interface FleetKeys {
  readonly checked: ReadonlySet<string>;
  readonly setChecked: (ids: readonly string[]) => void;
  /** The session whose row has an open message field. */
  readonly writing: string | null;
  readonly setWriting: (id: string | null) => void;
}

/** The list's shortcuts, which act on the selected row. */
export function useFleetKeys({ sessions, ids, selected, select, filterField }: Input): FleetKeys {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [writing, setWriting] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const href = useHref();
  const session = sessions.find(({ id }) => id === selected);
  const onSession = (act: (session: SessionView) => unknown) => () => (session === undefined ? false : act(session));
  /** Presses the row's button with this key. */
  const press = (key: string): unknown => {
    const button = session && buttonOf(session, key);
    if (session === undefined || button === undefined) return false;
    if (button.does === "message") return setWriting(session.id);
    return button.does === "open" ? navigate(href(button.href)) : runNeedButton(button, session);
  };
  useShortcuts({
    next: () => select(stepSelection(ids, selected, 1)),
    previous: () => select(stepSelection(ids, selected, -1)),
    open: onSession(({ id }) => navigate(href(sessionPath(id)))),
    filter: () => filterField.current?.focus(),
    select: onSession(({ id }) => setChecked((before) => toggle(before, id))),
    dismiss: onSession(dismissNeed),
    answer: press,
    log: () => press("l"),
    message: onSession(({ id }) => setWriting(id)),
    interrupt: onSession(interruptTurn),
    stop: onSession(stopSession),
    restore: () => (selected === null ? false : restoreSession({ id: selected })),
    merge: onSession(mergePullRequest),
    terminal: onSession(({ id }) => navigate(href(`${sessionPath(id)}?tab=terminal`))),
  });
  return { checked, setChecked: (chosen) => setChecked(new Set(chosen)), writing, setWriting };
}

function buttonOf(session: SessionView, key: string): NeedButton | undefined {
  return needButtons(session).find((button) => button.key === key);
}

function toggle(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(ids);
  if (!after.delete(id)) after.add(id);
  return after;
}
