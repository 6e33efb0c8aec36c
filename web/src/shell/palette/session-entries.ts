import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { interruptTurn, mergePullRequest, restoreSession, stopSession } from "../../data/session-writes.ts";
import { SHORTCUTS, type ShortcutId } from "../../keys/shortcuts.ts";
import { stateOf } from "../../lib/state-of.ts";
import { pullRequestPath, sessionPath } from "../../pages/fleet/need-buttons.ts";
import type { PaletteEntry } from "./search-entries.ts";

export type Go = (path: string) => () => void;

/** A person's actions on the page's session, most helpful first. */
export function actionsHere(session: SessionView, go: Go): readonly PaletteEntry[] {
  const { id, title, status, pullRequests } = session;
  const open = pullRequests.find(({ phase }) => phase === "open");
  const act = (verb: string, run: () => void, shortcut?: ShortcutId): PaletteEntry => ({
    ...entryOf(session, verb, run),
    text: `${verb} ${title}`,
    keys: shortcut === undefined ? null : SHORTCUTS[shortcut].keys,
  });
  return [
    ...needed(session),
    act("Open", go(sessionPath(id))),
    ...(open === undefined ? [] : [act(`Review #${open.number}`, go(pullRequestPath(open.key)))]),
    act("Open the terminal of", go(`${sessionPath(id)}?tab=terminal`), "terminal"),
    ...(status === "working" ? [act("Interrupt", () => void interruptTurn(session), "interrupt")] : []),
    act("Stop", () => void stopSession(session), "stop"),
  ];
}

/** Actions for a session's need that work anywhere. */
export function needed(session: SessionView): readonly PaletteEntry[] {
  const { pullRequests, attention } = session;
  const open = pullRequests.find(({ phase }) => phase === "open");
  const can = (action: string): boolean => attention?.actions.some((one) => one.action === action) === true;
  return [
    ...(open !== undefined && can("merge")
      ? [entryOf(session, `Merge #${open.number}`, () => void mergePullRequest(session))]
      : []),
    ...(can("restore") ? [entryOf(session, "Restore", () => void restoreSession(session))] : []),
  ];
}

function entryOf(session: SessionView, verb: string, run: () => void): PaletteEntry {
  const { id, title } = session;
  const { mark } = stateOf(session);
  return { id: `do:${verb}:${id}`, group: "Do", text: `${verb} ${title}`, note: id, mark, keys: null, run };
}

/** The pages of a session and of its pull requests. */
export function placesOf(session: SessionView, go: Go): readonly PaletteEntry[] {
  const { mark, label } = stateOf(session);
  const shown = { group: "Sessions and pull requests", mark, note: label.toLowerCase(), keys: null } as const;
  return [
    { ...shown, id: `session:${session.id}`, text: `${session.id} ${session.title}`, run: go(sessionPath(session.id)) },
    ...session.pullRequests.map(({ key, number, title }) => ({
      ...shown,
      id: `pull-request:${key}`,
      text: `#${number} ${title}`,
      run: go(pullRequestPath(key)),
    })),
  ];
}
