import { describeProgress } from "../core/change/progress.ts";
import type { ChangeState } from "../core/change/state.ts";
import { deriveChangeStatus } from "../core/change/status.ts";
import type { FleetState } from "../core/fleet/state.ts";
import { limitNetwork } from "../core/network-limit.ts";
import type { ProjectState } from "../core/project/state.ts";
import { isSandboxed } from "../core/sandbox.ts";
import { countUncommitted, describeUncommitted } from "../core/session/branch.ts";
import { type LiveReport, withLiveReport } from "../core/session/live-report.ts";
import { lastSignal } from "../core/session/signal.ts";
import type { Message, SessionState } from "../core/session/state.ts";
import { deriveStatus, type SessionStatus } from "../core/session/status.ts";
import { deriveWaitReason } from "../core/session/wait-reason.ts";
import { describeQueue } from "../core/slot.ts";
import { nameParent } from "../core/stack/parent.ts";
import { excerpt } from "../core/text.ts";
import { isPaused, type World } from "../core/world.ts";
import type { ProblemOfView } from "../protocol/views/problem.ts";
import type { MessageView, SessionDetailView, SessionView } from "../protocol/views/session.ts";
import { toCostView } from "./costs.ts";
import { currentPullRequest, pullRequestsOf } from "./find-pull-request.ts";
import { attentionOf, blocksOf } from "./inbox.ts";
import { type TextOf, toProblemViews, toPullRequestView } from "./pull-request-views.ts";
import { toListedQuestion, toQuestionView } from "./question-view.ts";
import { toTime } from "./time.ts";

interface Around {
  readonly changes: readonly ChangeState[];
  readonly busy?: readonly SessionState[] | undefined;
}

/** What people see of a session: what its agent does or, when that is done, what its pull request needs. */
export function deriveShown(
  session: SessionState,
  world: World,
  { changes, busy }: Around,
): Omit<SessionStatus, "status"> & { readonly status: string } {
  const now = deriveNow(session, world);
  if (now.status === "queued") return { ...now, evidence: describeQueue(world, session, busy) };
  const change = currentPullRequest(changes);
  if (change === undefined) return now;
  if (now.status === "stopped" && change.phase === "merged") {
    const { status, evidence } = deriveChangeStatus(world, change);
    return {
      status,
      state: now.state,
      evidence: now.evidence === "stopped" ? evidence : `${evidence}; ${now.evidence}`,
    };
  }
  const isDone = now.state === "idle" && (now.status === "idle" || now.status === "exited");
  if (!isDone || change.phase !== "open") return now;
  const { status, evidence } = deriveChangeStatus(world, change);
  const count = countUncommitted(session);
  const left = count === 0 ? "" : `; ${describeUncommitted({ count })}`;
  return { status, evidence: `${evidence}${left}`, state: now.state };
}

function deriveNow(session: SessionState, world: World): SessionStatus {
  const paused = isPaused(world, session.projectId);
  return deriveStatus(withLiveReport(session, world.liveReport(session.id)), { paused });
}

/** What a list computes once for all of its rows. */
export interface ListFacts {
  /** The pull requests of the session. */
  readonly changes?: readonly ChangeState[];
  /** The sessions that count against the limits. */
  readonly busy?: readonly SessionState[];
}

/** A session as lists show it. The same object as before while nothing behind it changes. */
export function toSessionView(session: SessionState, world: World, facts: ListFacts = {}): SessionView {
  const { changes = pullRequestsOf(world, session.id), busy } = facts;
  const behind = factsBehind(session, world, { changes, busy });
  const known = remembered.get(session);
  if (known !== undefined && isSame(known.facts, behind)) return known.view;
  const view = deriveView(session, world, { changes, busy });
  remembered.set(session, { facts: behind, view });
  return view;
}

/**
 * What was derived from a state, and its other inputs. A list of a thousand sessions is requested far more often than
 * they change.
 */
const remembered = new WeakMap<SessionState, { readonly facts: Facts; readonly view: SessionView }>();

/**
 * Everything a view depends on besides its session. States are replaced, never changed; of the rest, only the displayed
 * text counts.
 */
interface Facts {
  readonly project: ProjectState | undefined;
  readonly fleet: Pick<FleetState, "paused" | "prices" | "snoozes">;
  readonly report: LiveReport | null;
  readonly changes: readonly ChangeState[];
  /** Which tasks wait for it, why it waits itself, and the progress of its checks. */
  readonly words: string;
}

function factsBehind(session: SessionState, world: World, { changes, busy }: Around): Facts {
  const queue = session.phase === "queued" ? describeQueue(world, session, busy) : "";
  return {
    project: world.project(session.projectId),
    fleet: world.fleet(),
    report: world.liveReport(session.id),
    changes,
    words: `${blocksOf(world, session).join(" ")}\n${queue}\n${describeRunning(changes, world)}`,
  };
}

function isSame(a: Facts, b: Facts): boolean {
  return (
    a.project === b.project &&
    a.report === b.report &&
    a.words === b.words &&
    a.fleet.paused === b.fleet.paused &&
    a.fleet.prices === b.fleet.prices &&
    a.fleet.snoozes === b.fleet.snoozes &&
    a.changes.length === b.changes.length &&
    a.changes.every((change, n) => change === b.changes[n])
  );
}

/** Is a check of a pull request running now? */
export function hasRunningCheck({ checks }: ChangeState): boolean {
  for (const name in checks) if (checks[name]?.state === "running") return true;
  return false;
}

/** The progress of the running checks of pull requests, as precise as it is displayed; empty: none is running. */
export function describeRunning(changes: readonly ChangeState[], world: World): string {
  let words = "";
  for (const { key, checks } of changes) {
    for (const name in checks) {
      const progress = checks[name]?.state === "running" ? world.checkProgress(key, name) : null;
      if (progress !== null) words += `${key} ${name} ${progress.phase} ${describeProgress(progress)}\n`;
    }
  }
  return words;
}

/** The view of a session, freshly derived. */
export function deriveView(session: SessionState, world: World, around: Around): SessionView {
  const { changes } = around;
  const now = deriveShown(session, world, around);
  const signal = lastSignal(session, world.liveReport(session.id));
  const { activity, updatedAt } = withLiveReport(session, world.liveReport(session.id));
  return {
    id: session.id,
    projectId: session.projectId,
    title: session.title,
    issue: session.issue,
    role: session.role,
    status: now.status,
    state: now.state,
    evidence: now.evidence,
    activity: now.status === "working" ? activity.note : null,
    uncommitted: countUncommitted(session),
    agent: session.agent.plugin,
    runtime: session.runtime.plugin,
    ...(isSandboxed(session.agent) ? { sandbox: "bubblewrap" as const } : {}),
    branch: session.branch,
    ...stackOf(session, changes),
    workspacePath: session.workspace.path,
    lastSignalAt: signal === null ? null : toTime(signal.at),
    signalSource: signal?.source ?? null,
    question: session.question === null ? null : toListedQuestion(session.question),
    lines: session.branchSeen?.lines ?? null,
    problem: worstProblem(problemsOf(session, world, changes)),
    pullRequests: changes.map((change) => toPullRequestView(change, world)),
    cost: toCostView(session, world),
    createdAt: toTime(session.createdAt),
    updatedAt: toTime(updatedAt),
    attention: attentionOf(world, session, changes),
    blocks: blocksOf(world, session),
  };
}

function stackOf({ stackedOn }: SessionState, changes: readonly ChangeState[]): { readonly on?: string } {
  const parent = changes.find(({ phase }) => phase === "open")?.stackedOn;
  if (parent !== undefined) return { on: nameParent(parent) };
  return stackedOn === undefined ? {} : { on: stackedOn.sessionId };
}

/** A session with everything known about it. */
export async function toSessionDetail(session: SessionState, world: World, textOf: TextOf): Promise<SessionDetailView> {
  const { run, workspace, question } = session;
  const changes = pullRequestsOf(world, session.id);
  return {
    ...toSessionView(session, world, { changes }),
    summary: session.summary,
    question: question === null ? null : await toQuestionView(question, textOf),
    messages: session.messages.map((message) => toMessageView(message, session, world)),
    run: { n: run.n, state: run.state, pid: run.pid, evidence: run.evidence },
    workspace: {
      state: workspace.state,
      reason: workspace.reason,
      preservedRef: workspace.preservedRef,
      notes: workspace.notes,
    },
    movedFrom: session.movedFrom?.plugin ?? null,
    baseCommit: workspace.baseCommit,
    ahead: aheadAfterTurn(session),
    agentStatus: deriveNow(session, world).status,
    untrusted: untrustedOf(session, world),
    problems: problemsOf(session, world, changes),
  };
}

// What is in force for its last run, not what the policy wants.
function untrustedOf(
  { readUntrusted, run, agent, projectId }: SessionState,
  world: World,
): SessionDetailView["untrusted"] {
  if (readUntrusted === undefined) return null;
  const limit = limitNetwork(agent, world.project(projectId)?.policy?.trust);
  return {
    from: readUntrusted.from,
    via: readUntrusted.via ?? null,
    at: toTime(readUntrusted.at),
    onlyHosts: run.onlyHosts ?? null,
    notRestricted: limit.kind === "impossible" ? limit.reason : null,
  };
}

function problemsOf(session: SessionState, world: World, changes: readonly ChangeState[]): readonly ProblemOfView[] {
  const policy = world.project(session.projectId)?.policy ?? null;
  const open = changes.find((change) => change.phase === "open");
  return [...toProblemViews(session.problems, policy), ...toProblemViews(open?.problems ?? {}, policy)];
}

// An escalated one, else the one that will be escalated first.
function worstProblem(problems: readonly ProblemOfView[]): ProblemOfView | null {
  const order = (problem: ProblemOfView): string =>
    problem.escalated ? (problem.acknowledged ? "2" : "0") : `1${problem.escalatesAt ?? "9"}`;
  return [...problems].sort((a, b) => (order(a) < order(b) ? -1 : 1))[0] ?? null;
}

const DELIVERY: Readonly<Record<Message["status"], MessageView["delivery"]>> = {
  queued: "queued",
  started: "sending",
  written: "unconfirmed",
  accepted: "delivered",
  unknown: "unknown",
  failed: "failed",
  withdrawn: "withdrawn",
};

/** A message, its state, and what it waits for. */
export function toMessageView(message: Message, session: SessionState, world: World): MessageView {
  const wait = deriveWaitReason(session, message, { paused: isPaused(world, session.projectId) });
  return {
    id: message.id,
    kind: message.kind,
    delivery: DELIVERY[message.status],
    attempt: message.attempt,
    bytes: message.bytes,
    preview: message.preview ?? (message.text === null ? null : excerpt(message.text)),
    reason: wait?.text ?? message.reason ?? whatComesFirst(message, session),
    at: toTime(message.at),
  };
}

/** What an agent that confirms messages does before it handles one that it has. */
function whatComesFirst(message: Message, session: SessionState): string | null {
  if (message.status !== "written" || !session.confirms || session.run.state !== "alive") return null;
  if (session.question !== null) {
    return `the agent has it, but is waiting for an answer to its question; ao answer ${session.id}`;
  }
  return session.turn === null ? null : "the agent has it and reads it after the current turn";
}

function aheadAfterTurn({ branchSeen, turn, turns }: SessionState): number | null {
  return turn === null && branchSeen !== null && branchSeen.turn === turns ? branchSeen.ahead : null;
}
