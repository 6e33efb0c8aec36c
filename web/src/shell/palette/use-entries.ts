import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { projectsQuery, quietSessionsQuery } from "../../data/queries.ts";
import { usePause } from "../../data/use-pause.ts";
import { SHORTCUTS } from "../../keys/shortcuts.ts";
import { chooseTheme } from "../../lib/theme.ts";
import { useHref } from "../../lib/url-state.ts";
import { PAGES } from "../pages.ts";
import type { PaletteEntry } from "./search-entries.ts";
import { actionsHere, needed, placesOf } from "./session-entries.ts";
import { sessionHere } from "./session-here.ts";

/** Everything the palette offers now, the page's own entries first. */
export function useEntries(onHelp: () => void): readonly PaletteEntry[] {
  const sessions = useQuery(quietSessionsQuery()).data;
  const projects = useQuery(projectsQuery()).data?.data;
  const [path, navigate] = useLocation();
  const search = useSearch();
  const href = useHref();
  const { label: pauseLabel, toggle } = usePause();
  return useMemo(() => {
    const go = (to: string) => () => navigate(href(to));
    const all = sessions ?? [];
    const here = sessionHere(all, path, search);
    return [
      ...(here === null ? [] : actionsHere(here, go)),
      ...all.filter((session) => session !== here).flatMap(needed),
      act("New session", go("/new"), "n"),
      act(pauseLabel, toggle, "Shift P"),
      act("Keyboard shortcuts", onHelp, "?"),
      act("Dark theme", () => chooseTheme("dark")),
      act("Light theme", () => chooseTheme("light")),
      act("System theme", () => chooseTheme("system")),
      ...PAGES.map(({ href: to, label }) => place(to, label, go(to))),
      ...(projects ?? []).map(({ id, name }) =>
        place(`/p/${encodeURIComponent(id)}`, `Project ${name}`, go(`/p/${encodeURIComponent(id)}`)),
      ),
      ...all.flatMap((session) => placesOf(session, go)),
    ];
  }, [sessions, projects, path, search, href, navigate, pauseLabel, toggle, onHelp]);
}

function act(text: string, run: () => void, keys: string | null = null): PaletteEntry {
  return { id: `do:${text}`, group: "Do", text, note: "", mark: null, keys, run };
}

function place(path: string, text: string, run: () => void): PaletteEntry {
  const shortcut = Object.values(SHORTCUTS).find((one) => one.keys.startsWith("g ") && one.text === text);
  return { id: `go:${path}`, group: "Go to", text, note: "", mark: null, keys: shortcut?.keys ?? null, run };
}
