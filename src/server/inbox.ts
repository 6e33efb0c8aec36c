import { openRequests } from "../core/change/review.ts";
import type { ChangeState } from "../core/change/state.ts";
import { deriveChangeStatus, escalatedProblems } from "../core/change/status.ts";
import { AoError } from "../core/errors.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { Problem } from "../core/reaction/problem.ts";
import type { Question, SessionState } from "../core/session/state.ts";
import { deriveInbox } from "../core/session/status.ts";
import { shellWord } from "../core/shell-word.ts";
import { changeStream, type StreamId, sessionStream } from "../core/stream.ts";
import { isPaused, type World } from "../core/world.ts";
import { needRank } from "../protocol/fleet-order.ts";
import type { AttentionView, InboxView } from "../protocol/views/inbox.ts";
import { toTime } from "./time.ts";

/** Something that waits for a person, and the problem behind it, if it is one that can be put aside. */
export interface InboxEntry {
  readonly view: Omit<InboxView, "question">;
  /** The question that it is; absent: it is something else. */
  readonly question?: Question;
  /** The text without the session's or pull request's title, for where that is shown beside it. */
  readonly need: string;
  readonly problem: { readonly stream: StreamId; readonly id: string } | null;
}

/** Problems of sessions that the session's own state already shows, by the kind of that entry. */
const SHOWN_AS: Readonly<Record<string, string>> = { "agent-needs-input": "question", "agent-exited": "agent-exited" };

/** Everything that waits for a person: questions first, then what is broken, what can merge, and reviews; oldest first among equals. */
export function listInbox(world: World, problemOf: (projectId: string) => string | null): readonly InboxEntry[] {
  const bad = [...world.projects()].flatMap((project) => {
    const problem = project.removed ? null : problemOf(project.id);
    return problem === null ? [] : [toConfigEntry(project, problem)];
  });
  const entries = [
    ...[...world.sessions()].flatMap((session) => sessionEntries(world, session)),
    ...[...world.activeChanges()].flatMap((change) => changeEntries(world, change)),
  ];
  return [...bad, ...entries].sort(byNeed);
}

/** What of a session and its pull requests is most pressing for a person; null: nothing. */
export function attentionOf(
  world: World,
  session: SessionState,
  changes: readonly ChangeState[],
): AttentionView | null {
  const entries = [
    ...sessionEntries(world, session),
    ...changes.flatMap((change) => changeEntries(world, change)),
  ].sort(byNeed);
  const [first] = entries;
  return first === undefined
    ? null
    : { kind: first.question?.kind ?? first.view.kind, text: first.need, act: first.view.act, at: first.view.at };
}

/** The entry that a person means, by its id or an unambiguous beginning of it. */
export function findEntry(entries: readonly InboxEntry[], written: string): InboxEntry {
  const exact = entries.filter(({ view }) => view.id === written);
  const found = exact.length > 0 ? exact : entries.filter(({ view }) => view.id.startsWith(written));
  const [first] = found;
  if (first === undefined) {
    const message = `The inbox has no item "${written}".`;
    throw new AoError({ code: "not-found", message, hint: "`ao inbox` lists them." });
  }
  if (found.length === 1) return first;
  const ids = found.map(({ view }) => view.id).slice(0, 5);
  throw new AoError({
    code: "session-ambiguous",
    message: `"${written}" could be any of ${ids.join(", ")}${found.length > 5 ? ", ..." : ""}.`,
    hint: "Be more specific.",
  });
}

function sessionEntries(world: World, session: SessionState): readonly InboxEntry[] {
  const stream = sessionStream(session.id);
  const shown = deriveInbox(session, { paused: isPaused(world, session.projectId) }).flatMap((item): InboxEntry[] => {
    const exited = item.kind === "agent-exited" ? session.problems["agent-exited"] : undefined;
    if (exited?.acknowledged === true) return [];
    const problem = exited === undefined ? null : { stream, id: exited.id };
    const view = { ...item, pullRequest: null, canAcknowledge: problem !== null, at: toTime(item.at) };
    const question = item.kind === "question" ? session.question : null;
    return [{ view, ...(question === null ? {} : { question }), need: item.text, problem }];
  });
  const problems = session.phase === "stopped" ? [] : escalatedProblems(session.problems);
  // An agent that only says that it waits has asked no question.
  const isShown = ({ key }: Problem): boolean =>
    SHOWN_AS[key] !== undefined && (key !== "agent-needs-input" || session.question !== null);
  const rest = problems.filter((problem) => !isShown(problem));
  return [
    ...shown,
    ...rest.map((problem) => ({
      view: {
        id: `${session.id}/${problem.id}`,
        sessionId: session.id,
        pullRequest: null,
        canAcknowledge: true,
        kind: problem.key,
        text: `${session.title}: ${tell(problem)}`,
        choices: [],
        act: actOnSession(session.id, problem.key),
        at: toTime(problem.escalatedAt ?? problem.since),
      },
      need: tell(problem),
      problem: { stream, id: problem.id },
    })),
  ];
}

function changeEntries(world: World, change: ChangeState): readonly InboxEntry[] {
  if (change.phase !== "open") return [];
  const name = change.sessionId ?? change.key;
  const entry = (id: string, kind: string, text: string, act: string, at: number): InboxEntry["view"] => ({
    id: `${change.key}/${id}`,
    sessionId: name,
    pullRequest: change.key,
    canAcknowledge: true,
    kind,
    text: `#${change.number} ${change.title}: ${text.replace(new RegExp(`^#${change.number} is `), "it is ")}`,
    choices: [],
    act,
    at: toTime(at),
  });
  const entries = escalatedProblems(change.problems).map((problem): InboxEntry => {
    const at = problem.escalatedAt ?? problem.since;
    const view = entry(problem.id, problem.key, tell(problem), actOnChange(name, problem), at);
    return { view, need: tell(problem), problem: { stream: changeStream(change.key), id: problem.id } };
  });
  const missing = missingReview(world, change);
  if (missing === null) return entries;
  const review = entry("review", "review", missing, `ao review ${name}`, change.updatedAt);
  return [...entries, { view: { ...review, canAcknowledge: false }, need: missing, problem: null }];
}

// Only a person's look is missing: the first one, or another one after the agent has done what was asked for.
function missingReview(world: World, change: ChangeState): string | null {
  const now = deriveChangeStatus(world, change);
  if (now.status === "review-pending") return now.evidence;
  const asked = openRequests(change);
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const isDone = session === undefined || session.activity.state === "idle" || session.phase === "stopped";
  if (now.status !== "changes-requested" || !isDone) return null;
  const isChecked = Object.values(change.checks).every(({ state }) => state !== "running" && state !== "queued");
  const [first] = asked;
  if (first === undefined || !isChecked || asked.some(({ head }) => head === change.head)) return null;
  return `${first.author} requested changes; there is a new commit since`;
}

// What was tried so far, so that nobody tries it again.
function tell(problem: Problem): string {
  if (problem.sent === 0) return problem.text;
  const messages = problem.sent === 1 ? "1 message" : `${problem.sent} messages`;
  return `${problem.text}; ${messages} did not help`;
}

function actOnChange(name: string, problem: Problem): string {
  const check = /^(?:ci-failed|check-setup):(.+)$/s.exec(problem.id)?.[1];
  if (check !== undefined) return `ao pr show ${name} --log ${shellWord(check)}`;
  return problem.key === "approved-and-green" || problem.key === "merge-failed"
    ? `ao merge ${name}`
    : `ao pr show ${name}`;
}

function actOnSession(id: string, key: string): string {
  if (key === "agent-stuck") return `ao attach ${id}`;
  if (key === "uncommitted") return `ao commit ${id} -m "..."`;
  return key === "agent-idle" ? `ao send ${id} "..."` : `ao status ${id}`;
}

function toConfigEntry(project: ProjectState, problem: string): InboxEntry {
  return {
    view: {
      id: `${project.id}/config`,
      sessionId: project.id,
      pullRequest: null,
      canAcknowledge: false,
      kind: "config",
      text: `The last good configuration stays in force: ${problem}`,
      choices: [],
      act: "ao config validate",
      at: toTime(project.at),
    },
    need: problem,
    problem: null,
  };
}

function byNeed(a: InboxEntry, b: InboxEntry): number {
  return needRank(a.view.kind) - needRank(b.view.kind) || compare(a.view.at, b.view.at);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
