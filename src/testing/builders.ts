import type { Archive } from "../core/archive.ts";
import type { CheckProgress } from "../core/change/progress.ts";
import type { ChangeState } from "../core/change/state.ts";
import { NO_USAGE } from "../core/cost/usage.ts";
import type { StreamState } from "../core/evolve.ts";
import { type FleetState, initialFleet } from "../core/fleet/state.ts";
import type { Command } from "../core/input.ts";
import type { ProjectState } from "../core/project/state.ts";
import { completeAsked } from "../core/question.ts";
import type { ObservedWindow } from "../core/rate-window.ts";
import type { SessionEvent } from "../core/session/events.ts";
import { evolveSession } from "../core/session/evolve.ts";
import type { LiveReport } from "../core/session/live-report.ts";
import type { ActivityFacts, Message, RunFacts, SessionState, WorkspaceFacts } from "../core/session/state.ts";
import { changeStream, projectStream, type StreamId, sessionStream, taskStream } from "../core/stream.ts";
import type { TaskState } from "../core/task/state.ts";
import type { StoredText } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { indexed, viewWorld } from "../core/world-view.ts";
import { createMemoryArchive } from "./memory-archive.ts";

type Facts = Partial<Omit<SessionState, "run" | "workspace" | "activity">> & {
  readonly run?: Partial<RunFacts>;
  readonly workspace?: Partial<WorkspaceFacts>;
  readonly activity?: Partial<ActivityFacts>;
};

/** A typical session: open, its workspace ready, its first run alive, nothing to send. */
export function aSession(facts: Facts = {}): SessionState {
  const { run, workspace, activity, ...rest } = facts;
  return {
    id: "demo-fix-it",
    projectId: "demo",
    taskKey: "demo/~demo-fix-it",
    issue: null,
    title: "Fix it",
    role: "worker",
    agent: { plugin: "command", config: {} },
    runtime: { plugin: "process", config: {} },
    workspacePlugin: { plugin: "worktree", config: {} },
    input: "inbox",
    branch: "agent/fix-it",
    base: null,
    folder: "fix-it",
    phase: "open",
    confirms: false,
    messages: [],
    question: null,
    turn: null,
    limitedUntil: null,
    conversation: null,
    turns: 0,
    branchSeen: null,
    problems: {},
    reactions: 0,
    restoredAt: 0,
    usage: NO_USAGE,
    summary: null,
    stopReason: null,
    createdAt: 1000,
    updatedAt: 1000,
    ...rest,
    workspace: {
      state: "ready",
      generation: 1,
      restore: false,
      path: "/repo/.worktrees/fix-it",
      head: "c0ffee",
      baseCommit: "c0ffee",
      preservedRef: null,
      reason: null,
      notes: [],
      ...workspace,
    },
    run: {
      state: "alive",
      n: 1,
      pid: 4711,
      messageId: null,
      code: null,
      evidence: null,
      startedAt: 1000,
      endedAt: null,
      progressed: false,
      failures: 0,
      quickEnds: 0,
      endFailures: 0,
      endTries: 3,
      ...run,
    },
    activity: { state: "working", note: null, evidence: "agent started", at: 1000, ...activity },
  };
}

/** A message waiting to be sent. */
export function aMessage(facts: Partial<Message> = {}): Message {
  return {
    id: "m-1",
    kind: "message",
    replyTo: null,
    text: { inline: "hello" },
    bytes: 5,
    status: "queued",
    attempt: 1,
    run: null,
    reason: null,
    notBefore: 0,
    at: 1000,
    ...facts,
  };
}

/** An open question of the first run. */
export function aQuestion(
  facts: Partial<NonNullable<SessionState["question"]>> = {},
): NonNullable<SessionState["question"]> {
  const asked = completeAsked<StoredText>({ question: "Deploy?", choices: ["Yes", "No"], ...facts });
  return { id: "q-1", run: 1, at: 1000, answeredBy: null, ...facts, ...asked };
}

/** A registered, running project. */
export function aProject(facts: Partial<ProjectState> = {}): ProjectState {
  return {
    id: "demo",
    name: "Demo",
    path: "/repo",
    repo: null,
    defaultBranch: "main",
    sessionPrefix: "demo",
    configFile: null,
    policy: null,
    baseHead: null,
    completedAt: 0,
    paused: false,
    removed: false,
    limit: null,
    at: 1000,
    ...facts,
  };
}

/** An unclaimed task. */
export function aTask(facts: Partial<TaskState> = {}): TaskState {
  return { key: "demo/42", projectId: "demo", issue: "42", title: "Fix it", claimedBy: null, at: 1000, ...facts };
}

/** A world with these streams; by default it has one project. */
export function aWorld(
  facts: {
    readonly sessions?: readonly SessionState[];
    readonly projects?: readonly ProjectState[];
    readonly tasks?: readonly TaskState[];
    readonly changes?: readonly ChangeState[];
    readonly fleet?: Partial<FleetState>;
    readonly archive?: Archive;
    /** By `<change>/<check>`. */
    readonly progress?: Readonly<Record<string, CheckProgress>>;
    /** By session. */
    readonly reports?: Readonly<Record<string, LiveReport>>;
    /** By issue: the open issues that depend on it. */
    readonly dependents?: Readonly<Record<string, readonly string[]>>;
    readonly rateWindows?: Readonly<Record<string, readonly ObservedWindow[]>>;
  } = {},
): World {
  const { sessions = [], projects = [aProject()], tasks = [], changes = [] } = facts;
  const states = new Map<StreamId, StreamState>([
    ["fleet", { ...initialFleet(), ...facts.fleet }],
    ...projects.map((project) => [projectStream(project.id), project] as const),
    ...sessions.map((session) => [sessionStream(session.id), session] as const),
    ...changes.map((change) => [changeStream(change.key), change] as const),
    ...tasks.map((task) => [taskStream(task.key), task] as const),
  ]);
  const checkProgress = (change: ChangeState | undefined, check: string): CheckProgress | null =>
    facts.progress?.[`${change?.key}/${check}`] ?? null;
  const dependents = (_: string, issue: string): readonly string[] => facts.dependents?.[issue] ?? [];
  const liveReport = (sessionId: string): LiveReport | null => facts.reports?.[sessionId] ?? null;
  const archive = facts.archive ?? createMemoryArchive(new Map());
  const rateWindows = (program: string): readonly ObservedWindow[] => facts.rateWindows?.[program] ?? [];
  return viewWorld({ base: indexed(states), archive, checkProgress, liveReport, dependents, rateWindows });
}

/** A request for a session in the project `demo`. */
export function aCreate(
  facts: Partial<Extract<Command, { readonly type: "session.create" }>> = {},
): Extract<Command, { readonly type: "session.create" }> {
  return {
    type: "session.create",
    projectId: "demo",
    issue: null,
    title: "Fix it",
    role: "worker",
    agent: { plugin: "command", config: {} },
    runtime: { plugin: "process", config: {} },
    workspace: { plugin: "worktree", config: {} },
    input: "inbox",
    branch: null,
    base: null,
    prompt: { inline: "Fix it" },
    promptBytes: 6,
    messageId: "m-task",
    now: false,
    ...facts,
  };
}

/** The session after these events, all with the same time. */
export function afterEvents(session: SessionState, events: readonly SessionEvent[], at = 2000): SessionState {
  return events.reduce((state, event) => evolveSession(state, event, at) ?? state, session);
}
