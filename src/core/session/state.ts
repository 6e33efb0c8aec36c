import type { CommandRun } from "../command/command-run.ts";
import type { SessionUsage } from "../cost/usage.ts";
import type { PluginUse } from "../plugin-use.ts";
import type { PartlyAsked } from "../question.ts";
import type { Problems } from "../reaction/problem.ts";
import type { UntrustedRead } from "../reaction/untrusted.ts";
import type { Landed, StackedOn } from "../stack/parent.ts";
import type { StoredText } from "../text.ts";

/** How an agent gets messages: as lines into one process, a process each, or typed into a terminal. */
export type AgentInput = "inbox" | "file" | "terminal";

/**
 * Delivery state of a message. queued -> started (its effect runs) -> written (in stdin or terminal) -> accepted (the
 * agent's own receipt). unknown: it may have arrived, and is not repeated. failed: the turn it started failed.
 * withdrawn: never sent.
 */
export const MESSAGE_STATUSES = ["queued", "started", "written", "accepted", "unknown", "failed", "withdrawn"] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export interface Message {
  readonly id: string;
  readonly kind: "task" | "message" | "answer" | "interrupt";
  /** For an answer: the id of the question. */
  readonly replyTo: string | null;
  /** Dropped once the agent certainly has it. */
  readonly text: StoredText | null;
  readonly bytes: number;
  /** Its first characters, which stay; absent in states of older versions. */
  readonly preview?: string;
  /** The key of the rule it comes from; absent: a person or the task. */
  readonly about?: string;
  readonly status: MessageStatus;
  /** Increases if the agent died before it confirmed. */
  readonly attempt: number;
  /** The run that has it. */
  readonly run: number | null;
  /** Why it waits or failed. */
  readonly reason: string | null;
  /** When a held message may be retried. */
  readonly notBefore: number;
  readonly at: number;
}

/** The open question; `completeAsked` adds the fields that one from an older version lacks. */
export interface Question extends PartlyAsked {
  readonly id: string;
  readonly run: number;
  readonly at: number;
  /** The message that carries the answer, once given. */
  readonly answeredBy: string | null;
}

/**
 * Phases: queued (waits for a slot) -> open -> stopping -> stopped; restore leads from stopped back to queued or open.
 */
export const SESSION_PHASES = ["queued", "open", "stopping", "stopped"] as const;

export type SessionPhase = (typeof SESSION_PHASES)[number];

export const WORKSPACE_STATES = [
  "none",
  "creating",
  "ready",
  "failed",
  "missing",
  "branch-missing",
  "removed",
  "kept",
] as const;

export type WorkspaceState = (typeof WORKSPACE_STATES)[number];

export interface WorkspaceFacts {
  readonly state: WorkspaceState;
  /** Increases with each rebuild. */
  readonly generation: number;
  /** The next creation restores what was preserved. */
  readonly restore: boolean;
  readonly path: string | null;
  readonly head: string | null;
  readonly baseCommit: string | null;
  readonly preservedRef: string | null;
  readonly reason: string | null;
  readonly notes: readonly string[];
  /** The other branch, or commit, that it has checked out; absent or null: it is on its own branch. */
  readonly elsewhere?: string | null;
}

export const RUN_STATES = ["none", "starting", "alive", "ended"] as const;

export type RunState = (typeof RUN_STATES)[number];

export interface RunFacts {
  readonly state: RunState;
  readonly n: number;
  /** Where it was started; absent: at the session's runtime, which has not changed since. */
  readonly runtime?: PluginUse;
  readonly pid: number | null;
  /** The message that a one-message process was started for. */
  readonly messageId: string | null;
  /** null: its exit code was not recorded. */
  readonly code: number | null;
  readonly evidence: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Something came back from this run: a receipt, a result. */
  readonly progressed: boolean;
  /** Consecutive runs that ended without progress. */
  readonly failures: number;
  /** Consecutive runs that ended badly soon after their start, with or without progress. */
  readonly quickEnds: number;
  /** How often it could not be ended, and how often that is tried before a person is asked. */
  readonly endFailures: number;
  readonly endTries: number;
  /** The only hosts it reaches, because its session has read untrusted text; absent: those of its sandbox. */
  readonly onlyHosts?: readonly string[];
  /** How often its hosts were changed while it was running; absent: never. */
  readonly hostChanges?: number;
  /** Its hosts could not be changed, so it is ended. */
  readonly restrictFailed?: true;
  /** ending: `ao` is ending it because its agent is idle; asleep: it did. */
  readonly hibernation?: "ending" | "asleep";
}

export interface ActivityFacts {
  readonly state: "none" | "working" | "idle" | "waiting" | "limited" | "errored";
  readonly note: string | null;
  /** The source of this. */
  readonly evidence: string;
  readonly at: number;
  /** It is `limited` because the model service fails. */
  readonly isOutage?: true;
}

/** How the branch compared to its base after a turn. */
export interface BranchSeen {
  readonly turn: number;
  readonly head: string;
  readonly ahead: number;
  readonly at: number;
  /** null: everything is committed; absent: not checked. */
  readonly uncommitted?: Uncommitted | null;
  /** The last turn left new changes and no commit. */
  readonly isForgotten?: boolean;
  /** Lines and files that differ from its base; absent: not counted, as in older logs. */
  readonly lines?: LineCount;
  /** What the last turn left: the branch's commit, and a mark of what was uncommitted (empty: nothing). */
  readonly turnEnd?: { readonly head: string; readonly tree: string };
}

/** The size of a branch's changes. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
  readonly files: number;
}

/** Changed, uncommitted files; ignored ones do not count. */
export interface Uncommitted {
  readonly count: number;
  /** The first few. */
  readonly names: readonly string[];
  /** Differs whenever any of them changes again; never empty. */
  readonly tree: string;
}

/** A pull request that is being opened. */
export interface Opening {
  /** What someone requested; null: it follows from the last turn. */
  readonly request: { readonly title: string; readonly body: StoredText | null; readonly by: string } | null;
  /** Why the last attempt failed, for which commit, and when the next one is due; null: it did not. */
  readonly reason: string | null;
  readonly head: string | null;
  readonly notBefore: number;
  /** Consecutive failed attempts for this commit. */
  readonly failures: number;
  /** Attempts that ended, whatever the result. */
  readonly count: number;
}

/**
 * What a session's programs take from the shell that created it: PATH and similar variables by name, never a secret.
 */
export type CallerShell = Readonly<Record<string, string>>;

export interface SessionState {
  readonly id: string;
  readonly projectId: string;
  readonly taskKey: string;
  readonly issue: string | null;
  readonly title: string;
  readonly role: "worker" | "reviewer" | "orchestrator";
  /** The pull request that it reviews; absent: none. */
  readonly reviewOf?: string;
  readonly agent: PluginUse;
  /** The runtime of the next run. */
  readonly runtime: PluginUse;
  /** Its original runtime, while it is moved away from it. */
  readonly movedFrom?: PluginUse | null;
  readonly workspacePlugin: PluginUse;
  readonly input: AgentInput;
  readonly branch: string;
  /** Where its branch starts; null: at the project's base. */
  readonly base: string | null;
  /** The work that it builds on, until that is merged; absent: none. */
  readonly stackedOn?: StackedOn;
  /** The merged pull request whose commits its branch started from; absent: none. */
  readonly landed?: Landed;
  readonly folder: string;
  /** Both absent in older logs. From the first follow the marks of blocks in messages; without the second, programs get the daemon's environment. */
  readonly markSeed?: string;
  readonly shell?: CallerShell;
  readonly phase: SessionPhase;
  readonly workspace: WorkspaceFacts;
  readonly run: RunFacts;
  /** Learned from the agent: it confirms messages one by one, so `done` says nothing about unconfirmed ones. */
  readonly confirms: boolean;
  readonly messages: readonly Message[];
  readonly question: Question | null;
  /** The message whose work is unfinished; its text is sent as `resume` after a death. */
  readonly turn: { readonly messageId: string; readonly text: StoredText; readonly at: number } | null;
  readonly activity: ActivityFacts;
  /** When its agent last gave a sign of life; absent: not since this is recorded. */
  readonly signalAt?: number;
  /** Until when the vendor rejects requests; null: unknown, or not limited. */
  readonly limitedUntil: number | null;
  /** Hosts that its sandbox blocked, each once; absent in older states. */
  readonly refusedHosts?: readonly string[];
  /** Paths that its sandbox kept read-only, each once; absent: none, as in older states. */
  readonly refusedPaths?: readonly string[];
  /** The agent's id of its conversation; a repeated report of the same one is not recorded. */
  readonly conversation: string | null;
  /** A later process can continue it; absent: not reported. */
  readonly resumes?: boolean;
  /** Turns that ended, and how the branch compared after the last one that was read. */
  readonly turns: number;
  readonly branchSeen: BranchSeen | null;
  /** Absent: no pull request was ever requested by an effect, as in older logs. */
  readonly opening?: Opening;
  readonly problems: Problems;
  /** Its agent has read an untrusted person's words; absent: it has not. */
  readonly readUntrusted?: UntrustedRead;
  /** Running or pending commands of rules; absent: none, as in older logs. */
  readonly commands?: readonly CommandRun[];
  /** How many messages were created for its problems; gives each its id. */
  readonly reactions: number;
  readonly restoredAt: number;
  readonly usage: SessionUsage;
  readonly summary: string | null;
  readonly stopReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it left the live model; absent: it is live. */
  readonly archivedAt?: number;
}

/** How many settled messages a session remembers; the log has them all. */
export const REMEMBERED_MESSAGES = 50;

/** Consecutive runs without progress before a person is asked. */
export const MAX_FAILED_RUNS = 5;

/**
 * How often a long-lived agent may exit with code 0 without confirming a message: after that it is unknown whether it
 * handled the message, and it is not sent again.
 */
export const MAX_SILENT_ATTEMPTS = 3;

/** Attempts to end a run per stop request. */
export const MAX_END_TRIES = 3;

/** Is this message still on its way? Text typed into a terminal has arrived as far as can be known. */
export function isOnItsWay(message: Message, input: AgentInput): boolean {
  if (message.status === "written") return input !== "terminal";
  return message.status === "queued" || message.status === "started";
}

/** Is this work that the agent has yet to start on? An interrupt ends work instead of adding any. */
export function isPending(message: Message, input: AgentInput): boolean {
  return message.kind !== "interrupt" && isOnItsWay(message, input);
}

/** The runtime of the last run: the session itself may have moved on meanwhile. */
export function runtimeOfRun({ run, runtime }: SessionState): PluginUse {
  return run.runtime ?? runtime;
}

/** Does `ao` end the current run itself, to continue in another one or to hibernate? */
export function isToLeave(session: SessionState): boolean {
  return isLeftBehind(session) || session.run.hibernation === "ending" || session.run.restrictFailed === true;
}

/** Is there no run now? After a move or a new folder it is "none", though it keeps the number of the last one. */
export function isRunOver({ state }: Pick<RunFacts, "state">): boolean {
  return state === "ended" || state === "none";
}

/** Has the session moved away from the current run? */
export function isLeftBehind(session: SessionState): boolean {
  const isThere = session.run.state === "starting" || session.run.state === "alive";
  return isThere && runtimeOfRun(session).plugin !== session.runtime.plugin;
}
