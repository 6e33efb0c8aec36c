import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { projectsQuery, sessionsQuery } from "../../data/queries.ts";
import { mergePullRequest, restoreSession } from "../../data/session-writes.ts";
import { usePause } from "../../data/use-pause.ts";
import { SHORTCUTS } from "../../keys/shortcuts.ts";
import { stateOf } from "../../lib/state-of.ts";
import { chooseTheme } from "../../lib/theme.ts";
import { useHref } from "../../lib/url-state.ts";
import { pullRequestPath, sessionPath } from "../../pages/fleet/need-buttons.ts";
import { PAGES } from "../pages.ts";
import type { PaletteEntry } from "./search-entries.ts";

/** All that the palette offers now. */
export function useEntries(onHelp: () => void): readonly PaletteEntry[] {
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  const projects = useQuery(projectsQuery()).data?.data ?? [];
  const [, navigate] = useLocation();
  const href = useHref();
  const pause = usePause();
  const go = (path: string) => () => navigate(href(path));
  const act = (text: string, run: () => void, keys: string | null = null): PaletteEntry => ({
    id: `do:${text}`,
    group: "Do",
    text,
    note: "",
    mark: null,
    keys,
    run,
  });
  return [
    ...sessions.flatMap(actionsOf),
    act("New session", go("/new"), "n"),
    act(pause.isPaused ? "Resume" : "Pause all", pause.toggle, "Shift P"),
    act("Keyboard shortcuts", onHelp, "?"),
    act("Dark theme", () => chooseTheme("dark")),
    act("Light theme", () => chooseTheme("light")),
    act("Theme of the system", () => chooseTheme("system")),
    ...PAGES.map(({ href: path, label }) => place(path, label, go(path))),
    ...projects.map(({ id, name }) =>
      place(`/p/${encodeURIComponent(id)}`, `Project ${name}`, go(`/p/${encodeURIComponent(id)}`)),
    ),
    ...sessions.flatMap((session) => placesOf(session, go)),
  ];
}

/** What can be done about a session from anywhere. */
function actionsOf(session: SessionView): readonly PaletteEntry[] {
  const { id, title, pullRequests, attention } = session;
  const open = pullRequests.find(({ phase }) => phase === "open");
  const { mark } = stateOf(session);
  const entry = (verb: string, run: () => void): PaletteEntry => ({
    id: `do:${verb}:${id}`,
    group: "Do",
    text: `${verb} ${title}`,
    note: id,
    mark,
    keys: null,
    run,
  });
  const can = (action: string): boolean => attention?.actions.some((one) => one.action === action) === true;
  return [
    ...(open !== undefined && can("merge")
      ? [entry(`Merge #${open.number}`, () => void mergePullRequest(session))]
      : []),
    ...(can("restore") ? [entry("Restore", () => void restoreSession(session))] : []),
  ];
}

function place(path: string, text: string, run: () => void): PaletteEntry {
  const shortcut = Object.values(SHORTCUTS).find((one) => one.keys.startsWith("g ") && one.text === text);
  return { id: `go:${path}`, group: "Go to", text, note: "", mark: null, keys: shortcut?.keys ?? null, run };
}

function placesOf(session: SessionView, go: (path: string) => () => void): readonly PaletteEntry[] {
  const group = "Sessions and pull requests";
  const { mark, label } = stateOf(session);
  const shown = { group, mark, note: label.toLowerCase(), keys: null } as const;
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
