import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { inboxQuery, sessionsQuery } from "../data/queries.ts";
import { usePause } from "../data/use-pause.ts";
import type { ShortcutId } from "../keys/shortcuts.ts";
import { useShortcuts } from "../keys/use-shortcuts.ts";
import { useHref } from "../lib/url-state.ts";
import type { OverlayKind } from "./overlay.tsx";
import { stepNeed } from "./step-need.ts";

const PAGES: Partial<Readonly<Record<ShortcutId, string>>> = {
  "go-fleet": "/",
  "go-inbox": "/inbox",
  "go-projects": "/projects",
  "go-cost": "/cost",
  "go-capacity": "/capacity",
  "go-settings": "/settings/appearance",
  "new-session": "/new",
};

/** The shortcuts that work on every page. */
export function useShellKeys(show: (overlay: OverlayKind) => void): void {
  const [path, navigate] = useLocation();
  const href = useHref();
  const queries = useQueryClient();
  const { data } = useQuery(inboxQuery());
  const pause = usePause();
  const step = (by: 1 | -1) => () => {
    const sessions = queries.getQueryData(sessionsQuery().queryKey)?.data ?? [];
    const needs = { entries: data?.data ?? [], sessionIds: new Set(sessions.map(({ id }) => id)) };
    const next = stepNeed(needs, path, by);
    return next === null ? false : navigate(href(next));
  };
  useShortcuts({
    ...Object.fromEntries(Object.entries(PAGES).map(([id, page]) => [id, () => navigate(href(page))])),
    palette: () => show("palette"),
    actions: () => show("actions"),
    help: () => show("help"),
    pause: () => pause.toggle(),
    "next-need": step(1),
    "previous-need": step(-1),
  });
}
