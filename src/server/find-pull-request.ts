import type { ChangeState } from "../core/change/state.ts";
import { AoError } from "../core/errors.ts";
import type { SessionState } from "../core/session/state.ts";
import type { World } from "../core/world.ts";
import { findSession } from "./find-session.ts";

/** The pull requests of a session, oldest first. */
export function pullRequestsOf(world: World, sessionId: string): readonly ChangeState[] {
  return [...world.changesOf(sessionId)].sort((a, b) => a.number - b.number);
}

/** The pull requests of all sessions at once, including archived ones, so that a list reads the archive only once. */
export function pullRequestsBySession(world: World): ReadonlyMap<string, readonly ChangeState[]> {
  return groupBySession([...world.changes(), ...world.archive.changes({})]);
}

/** Pull requests by their session, oldest first. */
export function groupBySession(changes: Iterable<ChangeState>): ReadonlyMap<string, readonly ChangeState[]> {
  const all = new Map<string, ChangeState[]>();
  for (const change of changes) {
    if (change.sessionId === null) continue;
    const own = all.get(change.sessionId) ?? [];
    own.push(change);
    all.set(change.sessionId, own);
  }
  for (const own of all.values()) own.sort((a, b) => a.number - b.number);
  return all;
}

/** The pull request of a session that people mean: the open one, else the last. */
export function currentPullRequest(changes: readonly ChangeState[]): ChangeState | undefined {
  return changes.find((change) => change.phase === "open") ?? changes.at(-1);
}

/** The pull request that a person means: `project/3`, `#3` or `3` in `projectId`, or a session. */
export function findPullRequest(world: World, written: string, projectId: string | null): ChangeState {
  const keyed = world.change(written.replace(/\/#(\d+)$/, "/$1"));
  if (keyed !== undefined) return keyed;
  const number = /^#?(\d+)$/.exec(written)?.[1];
  if (number !== undefined) return findByNumber(world, written, { number, projectId });
  if (/\/#?\d+$/.test(written)) throw unknown(`There is no pull request ${written}.`);
  const session = findSession(world, written);
  return currentPullRequest(pullRequestsOf(world, session.id)) ?? fail(withoutAny(session));
}

/** The open pull request of a session, or an error with the fix. */
export function requireOpenPullRequest(world: World, session: SessionState): ChangeState {
  const change = currentPullRequest(pullRequestsOf(world, session.id));
  if (change === undefined) throw withoutAny(session);
  if (change.phase === "open") return change;
  throw new AoError({
    code: "conflict",
    message: `Session ${session.id} has no open pull request: #${change.number} is ${change.phase}.`,
    hint: `\`ao pr show ${change.key}\` shows it; \`ao pr open ${session.id}\` opens a new one.`,
  });
}

function findByNumber(
  world: World,
  written: string,
  { number, projectId }: { readonly number: string; readonly projectId: string | null },
): ChangeState {
  if (projectId === null) throw inWhichProject(world, written, number);
  const numbered = world.change(`${projectId}/${number}`);
  const byIssue = findByIssue(world, number, projectId);
  if (numbered === undefined) return byIssue ?? fail(unknown(`There is no pull request #${number} in ${projectId}.`));
  // `3` alone may also be an issue; approving or merging must not guess.
  if (byIssue === undefined || byIssue === numbered || written.startsWith("#")) return numbered;
  throw new AoError({
    code: "session-ambiguous",
    message: `"${written}" could be pull request #${number}, or #${byIssue.number} of session ${byIssue.sessionId} for issue ${number}.`,
    hint: `Write "#${number}" or "${byIssue.sessionId}".`,
  });
}

/** Numbers belong to a project; the same number in another project is never meant. */
function inWhichProject(world: World, written: string, number: string): AoError {
  const keys = [...world.projects()].flatMap(({ id }) => world.change(`${id}/${number}`)?.key ?? []);
  if (keys.length === 0) return unknown(`There is no pull request #${number}.`);
  return new AoError({
    code: "session-ambiguous",
    message: `"${written}" needs a project: this folder belongs to none.`,
    hint: `Write ${keys.join(" or ")}.`,
  });
}

// Issue numbers belong to a project: those of another one are not meant. A live session comes before a finished one.
function findByIssue(world: World, number: string, projectId: string): ChangeState | undefined {
  const all = [...world.sessions(), ...world.archive.sessionsNamed(`#${number}`)];
  const found = all.filter((session) => session.issue === number && session.projectId === projectId);
  const open = found.filter(({ phase }) => phase !== "stopped");
  return (open.length > 0 ? open : found)
    .flatMap(({ id }) => currentPullRequest(pullRequestsOf(world, id)) ?? [])
    .at(-1);
}

function withoutAny(session: SessionState): AoError {
  return new AoError({
    code: "conflict",
    message: `Session ${session.id} has no pull request.`,
    hint: `One is opened when its agent commits; \`ao pr open ${session.id}\` opens it now.`,
  });
}

function unknown(message: string): AoError {
  return new AoError({ code: "not-found", message, hint: "`ao pr list --state all` lists them." });
}

function fail(error: AoError): never {
  throw error;
}
