import { AoError } from "../core/errors.ts";
import { normalizeIssue, slugify } from "../core/name.ts";
import type { SessionState } from "../core/session/state.ts";
import type { World } from "../core/world.ts";

/** The session a person means: its id, `<project>-<slug>`, its issue, or any unambiguous prefix. */
export function findSession(world: World, written: string): SessionState {
  const exact = world.session(written);
  if (exact !== undefined) return exact;
  const all = [...world.sessions()];
  const open = all.filter((session) => session.phase !== "stopped");
  const issue = normalizeIssue(written);
  const rules: readonly ((session: SessionState) => boolean)[] = [
    (session) => `${session.projectId}-${session.folder.replace(/^issue-/, "")}` === written,
    (session) => `${session.projectId}-${slugify(session.title)}` === written,
    (session) => session.issue !== null && session.issue === issue,
    (session) => session.id.startsWith(written),
    (session) => `${session.projectId}-${slugify(session.title)}`.startsWith(written),
  ];
  for (const matches of rules) {
    // A stopped session is meant only when no open one fits.
    for (const candidates of [open.filter(matches), all.filter(matches)]) {
      const [first] = candidates;
      if (candidates.length === 1 && first !== undefined) return first;
      if (candidates.length > 1) throw ambiguous(written, candidates);
    }
  }
  throw new AoError({
    code: "session-unknown",
    message: `There is no session "${written}".`,
    hint: "`ao list --all` lists them.",
  });
}

function ambiguous(written: string, candidates: readonly SessionState[]): AoError {
  const ids = candidates.map((session) => session.id);
  return new AoError({
    code: "session-ambiguous",
    message: `"${written}" could be any of ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", ..." : ""}.`,
    hint: "Write more of the name.",
    data: { sessions: ids },
  });
}
