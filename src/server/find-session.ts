import { AoError } from "../core/errors.ts";
import { normalizeIssue, slugify } from "../core/name.ts";
import type { SessionState } from "../core/session/state.ts";
import type { World } from "../core/world.ts";

/**
 * The session that a person means: its id, `<project>-<slug>`, its issue (also as `project/42`), or a prefix; live ones
 * first.
 */
export function findSession(world: World, written: string): SessionState {
  const exact = world.session(written);
  if (exact !== undefined) return exact;
  const scoped = /^([^/]+)\/([^/]+)$/.exec(written);
  if (scoped?.[1] !== undefined && world.project(scoped[1]) !== undefined) {
    return findByIssue(world, scoped[1], normalizeIssue(scoped[2] ?? ""));
  }
  const issue = normalizeIssue(written);
  const { archive } = world;
  const all = [...world.sessions(), ...archive.sessionsNamed(written), ...archive.sessionsNamed(`#${issue}`)];
  const open = all.filter((session) => session.phase !== "stopped");
  const merged = sessionsMerged(world);
  const live = open.filter((session) => !merged.has(session.id));
  const rules: readonly ((session: SessionState) => boolean)[] = [
    (session) => `${session.projectId}-${session.folder.replace(/^issue-/, "")}` === written,
    (session) => `${session.projectId}-${slugify(session.title)}` === written,
    (session) => isFor(session, issue),
    (session) => session.id.startsWith(written),
    (session) => `${session.projectId}-${slugify(session.title)}`.startsWith(written),
  ];
  // A finished session is meant only if no live one matches, by any rule.
  for (const sessions of [live, open, all]) {
    for (const matches of rules) {
      const candidates = distinct(sessions.filter(matches));
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

// Trackers write issue keys in upper case, and people in any case.
function isFor(session: SessionState, issue: string): boolean {
  return session.issue?.toLowerCase() === issue.toLowerCase();
}

// The archive returns a session once for each of its matching names.
function distinct(sessions: readonly SessionState[]): readonly SessionState[] {
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}

// Sessions whose work is merged, and that have nothing new open.
function sessionsMerged(world: World): ReadonlySet<string> {
  const merged = new Set<string>();
  const open = new Set<string>();
  for (const { sessionId, phase } of world.changes()) {
    if (sessionId !== null && phase === "merged") merged.add(sessionId);
    if (sessionId !== null && phase === "open") open.add(sessionId);
  }
  for (const id of open) merged.delete(id);
  return merged;
}

/** Issue numbers belong to a project: the same number in another one is another issue. */
function findByIssue(world: World, projectId: string, issue: string): SessionState {
  const named = [...world.sessions(), ...world.archive.sessionsNamed(`#${issue}`)];
  const all = named.filter((session) => isFor(session, issue));
  const own = all.filter((session) => session.projectId === projectId);
  const [found] = [...own.filter((session) => session.phase !== "stopped"), ...own];
  if (found !== undefined) return found;
  const others = [...new Set(all.map((session) => `${session.projectId}/${issue}`))];
  throw new AoError({
    code: "session-unknown",
    message: `No session of ${projectId} works on issue ${issue}.`,
    hint: others.length === 0 ? `\`ao spawn ${issue}\` starts one.` : `In another project: ${others.join(", ")}.`,
  });
}

function ambiguous(written: string, candidates: readonly SessionState[]): AoError {
  const issue = normalizeIssue(written);
  const byIssue = candidates.every((session) => isFor(session, issue));
  const ids = candidates.map((session) => (byIssue ? `${session.projectId}/${issue}` : session.id));
  return new AoError({
    code: "session-ambiguous",
    message: `"${written}" could be any of ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", ..." : ""}.`,
    hint: "Be more specific.",
    data: { sessions: ids },
  });
}
