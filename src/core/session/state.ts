import type { CommandRun } from "../command/command-run.ts";
import type { SessionUsage } from "../cost/usage.ts";
import type { PluginUse } from "../plugin-use.ts";
import type { PartlyAsked } from "../question.ts";
import type { Problems } from "../reaction/problem.ts";
import type { UntrustedRead } from "../reaction/untrusted.ts";
import type { StoredText } from "../text.ts";

/** How an agent takes messages: a line each into one process, a process each, or typed into a terminal. */
export type AgentInput = "inbox" | "file" | "terminal";

/**
 * Where a message is on its way.
 * queued -> started (its effect runs) -> written (in stdin or terminal) -> accepted (the agent's own receipt).
 * unknown: it may have arrived, and is not repeated. failed: the turn it started failed. withdrawn: never sent.
 */
export const MESSAGE_STATUSES = ["queued", "started", "written", "accepted", "unknown", "failed", "withdrawn"] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export interface Message {
  readonly id: string;
  readonly kind: "task" | "message" | "answer" | "interrupt";
  /** For an answer: the id of the question. */
  readonly replyTo: string | null;
  /** Dropped once the agent has it for certain. */
  readonly text: StoredText | null;
  readonly bytes: number;
  /** Its first characters, which stay; absent in states of older versions. */
  readonly preview?: string;
  /** The key of the rule that it comes from; absent: a person or the task. */
  readonly about?: string;
  readonly status: MessageStatus;
  /** Grows when the agent died before it confirmed. */
  readonly attempt: number;
  /** The run that has it. */
  readonly run: number | null;
  /** Why it waits or failed. */
  readonly reason: string | null;
  /** When a held message may be tried again. */
  readonly notBefore: number;
  readonly at: number;
}

/** The open question; `completeAsked` gives the fields that one of an older version lacks. */
export interface Question extends PartlyAsked {
  readonly id: string;
  readonly run: number;
  readonly at: number;
  /** The message that carries the answer, once given. */
  readonly answeredBy: string | null;
}

/** Phases: queued (waits for room) -> open -> stopping -> stopped; restore leads from stopped back to queued or open. */
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
  /** Grows with each rebuild. */
  readonly generation: number;
  /** The next creation brings back what was preserved. */
  readonly restore: boolean;
  readonly path: string | null;
  readonly head: string | null;
  readonly baseCommit: string | null;
  readonly preservedRef: string | null;
  readonly reason: string | null;
  readonly notes: readonly string[];
}

export const RUN_STATES = ["none", "starting", "alive", "ended"] as const;

export type RunState = (typeof RUN_STATES)[number];

export interface RunFacts {
  readonly state: RunState;
  readonly n: number;
  /** Where it was started; absent: where the session is, which has not moved since. */
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
  /** Runs that ended without progress, in a row. */
  readonly failures: number;
  /** Runs that ended badly soon after their start, in a row, with or without progress. */
  readonly quickEnds: number;
  /** How often it could not be ended, and how often that is tried before a person is asked. */
  readonly endFailures: number;
  readonly endTries: number;
  /** ending: `ao` ends it because its agent is idle; asleep: it did. */
  readonly hibernation?: "ending" | "asleep";
}

export interface ActivityFacts {
  readonly state: "none" | "working" | "idle" | "waiting" | "limited" | "errored";
  readonly note: string | null;
  /** Who says so. */
  readonly evidence: string;
  readonly at: number;
}

/** What the branch held against its base after a turn. */
export interface BranchSeen {
  readonly turn: number;
  readonly head: string;
  readonly ahead: number;
  readonly at: number;
  /** null: all is committed; absent: nobody looked. */
  readonly uncommitted?: Uncommitted | null;
  /** The last turn left new changes and no commit. */
  readonly isForgotten?: boolean;
  /** Lines and files that differ from its base; absent: nobody counted, as in older logs. */
  readonly lines?: LineCount;
  /** What the last turn left: where the branch was, and a mark of what was not committed (empty: nothing). */
  readonly turnEnd?: { readonly head: string; readonly tree: string };
}

/** How much a branch changes. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
  readonly files: number;
}

/** Files that are changed and not committed; ignored ones do not count. */
export interface Uncommitted {
  readonly count: number;
  /** The first few. */
  readonly names: readonly string[];
  /** Another one when any of them changed again; never empty. */
  readonly tree: string;
}

/** A pull request on its way to the forge. */
export interface Opening {
  /** What somebody asked for; null: it follows from the last turn. */
  readonly request: { readonly title: string; readonly body: StoredText | null; readonly by: string } | null;
  /** Why the last try failed, for which commit, and when the next one is due; null: it did not. */
  readonly reason: string | null;
  readonly head: string | null;
  readonly notBefore: number;
  /** Tries in a row that failed for this commit. */
  readonly failures: number;
  /** Tries that ended, however they did. */
  readonly count: number;
}

/** What a session's programs take from the shell that asked for it: PATH and its like by name, never a secret. */
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
  /** Where the next run is started. */
  readonly runtime: PluginUse;
  /** The runtime that it was made with, while it is moved away from it. */
  readonly movedFrom?: PluginUse | null;
  readonly workspacePlugin: PluginUse;
  readonly input: AgentInput;
  readonly branch: string;
  readonly base: string | null;
  readonly folder: string;
  /** Absent in sessions of older logs: their programs run in the daemon's own environment. */
  readonly shell?: CallerShell;
  readonly phase: SessionPhase;
  readonly workspace: WorkspaceFacts;
  readonly run: RunFacts;
  /** Learned from the agent: it confirms messages one by one, so `done` says nothing about those it did not confirm. */
  readonly confirms: boolean;
  readonly messages: readonly Message[];
  readonly question: Question | null;
  /** The message whose work is not finished; its text is sent as `resume` after a death. */
  readonly turn: { readonly messageId: string; readonly text: StoredText; readonly at: number } | null;
  readonly activity: ActivityFacts;
  /** When its agent last gave a sign of life; absent: not since this is recorded. */
  readonly signalAt?: number;
  /** Until when the vendor takes nothing; null: not known, or not limited. */
  readonly limitedUntil: number | null;
  /** Hosts that its sandbox kept it from, each once; absent in older states. */
  readonly refusedHosts?: readonly string[];
  /** The agent's id for its conversation; the next report of the same one is not recorded again. */
  readonly conversation: string | null;
  /** A later process can continue it; absent: nobody said so. */
  readonly resumes?: boolean;
  /** Turns that ended, and what the branch held after the last one that was looked at. */
  readonly turns: number;
  readonly branchSeen: BranchSeen | null;
  /** Absent: no pull request was ever asked for by an effect, as in older logs. */
  readonly opening?: Opening;
  readonly problems: Problems;
  /** Its agent has read words of somebody who is not trusted; absent: it has not. */
  readonly readUntrusted?: UntrustedRead;
  /** Commands of rules that are not over; absent: none, and so in older logs. */
  readonly commands?: readonly CommandRun[];
  /** How many messages were made for its problems; gives each an id of its own. */
  readonly reactions: number;
  readonly restoredAt: number;
  readonly usage: SessionUsage;
  readonly summary: string | null;
  readonly stopReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it left the live model; absent: it is in it. */
  readonly archivedAt?: number;
}

/** How many settled messages a session remembers; the log has them all. */
export const REMEMBERED_MESSAGES = 50;

/** Runs that may end without progress before a person is asked. */
export const MAX_FAILED_RUNS = 5;

/**
 * A long-lived agent that leaves with code 0 so many times without a word about a message: nobody can tell whether it did what
 * the message asks, and it is not given again.
 */
export const MAX_SILENT_ATTEMPTS = 3;

/** Tries to end a run that one request for a stop is worth. */
export const MAX_END_TRIES = 3;

/** Is this message still on its way? What was typed into a terminal has arrived as far as anybody can tell. */
export function isOnItsWay(message: Message, input: AgentInput): boolean {
  if (message.status === "written") return input !== "terminal";
  return message.status === "queued" || message.status === "started";
}

/** Is this work that the agent has yet to take up? An interrupt ends work instead of adding any. */
export function isPending(message: Message, input: AgentInput): boolean {
  return message.kind !== "interrupt" && isOnItsWay(message, input);
}

/** The runtime that has the last run: the session itself may have moved on meanwhile. */
export function runtimeOfRun({ run, runtime }: SessionState): PluginUse {
  return run.runtime ?? runtime;
}

/** Has the session moved away from the run that is there? */
export function isLeftBehind(session: SessionState): boolean {
  const isThere = session.run.state === "starting" || session.run.state === "alive";
  return isThere && runtimeOfRun(session).plugin !== session.runtime.plugin;
}
