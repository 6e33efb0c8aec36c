import { changesNumbered } from "../core/change/key.ts";
import type { ChangeState } from "../core/change/state.ts";
import { AoError } from "../core/errors.ts";
import type { SessionState } from "../core/session/state.ts";
import type { World } from "../core/world.ts";
import { findSession } from "./find-session.ts";

/** The pull requests of a session, oldest first. */
export function pullRequestsOf(world: World, sessionId: string): readonly ChangeState[] {
  return [...world.changesOf(sessionId)].sort(byAge);
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
  for (const own of all.values()) own.sort(byAge);
  return all;
}

// Numbers do not tell the age: those of a forge and of this machine are counted apart.
function byAge(a: ChangeState, b: ChangeState): number {
  return a.openedAt - b.openedAt || a.number - b.number;
}

/** The pull request of a session that people mean: the open one, else the last. */
export function currentPullRequest(changes: readonly ChangeState[]): ChangeState | undefined {
  return changes.find((change) => change.phase === "open") ?? changes.at(-1);
}

/** The pull request that a person means: `project/3`, `#3` or `3` in `projectId`, or a session. */
export function findPullRequest(world: World, written: string, projectId: string | null): ChangeState {
  const [, project, named] = /^(.+)\/#?(\d+)$/.exec(written) ?? [];
  const keyed = named === undefined ? world.change(written) : numberedIn(world, project ?? "", named);
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
  const numbered = numberedIn(world, projectId, number);
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

/**
 * The pull request that people call by this number: on the forge, or here. Where both are open, somebody who merges must say which.
 * A number that means none may be the one that a published pull request had before.
 */
function numberedIn(world: World, projectId: string, number: string): ChangeState | undefined {
  const found = changesNumbered(world, projectId, Number(number));
  const open = found.filter(({ phase }) => phase === "open");
  if (open.length > 1) throw ambiguous(`#${number} in ${projectId}`, open);
  return open[0] ?? found[0] ?? world.change(`${projectId}/${number}`);
}

function ambiguous(what: string, changes: readonly ChangeState[]): AoError {
  const names = changes.map(({ sessionId, key }) => sessionId ?? key);
  return new AoError({
    code: "session-ambiguous",
    message: `There are ${changes.length} open pull requests ${what}: one on the forge, one on this machine.`,
    hint: `Write ${names.join(" or ")}.`,
  });
}

/** Numbers belong to a project; the same number in another project is never meant. */
function inWhichProject(world: World, written: string, number: string): AoError {
  const keys = [...world.projects()].flatMap(({ id }) =>
    changesNumbered(world, id, Number(number)).length === 0 ? [] : `${id}/${number}`,
  );
  if (keys.length === 0) return unknown(`There is no pull request #${number}.`);
  return new AoError({
    code: "session-ambiguous",
    message: `"${written}" needs a project, and this folder is not in one.`,
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
