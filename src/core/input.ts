import type { StoredSignal } from "./agent-signal.ts";
import type { ClaimedChange } from "./change/found-change.ts";
import type { ChangeObservation } from "./change/observation.ts";
import type { Verdict } from "./change/state.ts";
import type { Said } from "./change/trust.ts";
import type { Prices } from "./cost/prices.ts";
import type { ErrorCode } from "./errors.ts";
import type { Emitted } from "./event.ts";
import type { BranchReading, IntentOutcome } from "./intent.ts";
import type { MergeStrategy } from "./merge/strategy.ts";
import type { NoticePriority } from "./notice/notice.ts";
import type { PluginUse } from "./plugin-use.ts";
import type { ProjectPolicy } from "./policy.ts";
import type { Collision } from "./project/collision.ts";
import type { SeenRepository } from "./project/repository.ts";
import type { ProjectFacts } from "./project/state.ts";
import type { AgentInput, CallerShell, SessionState } from "./session/state.ts";
import type { StreamId } from "./stream.ts";
import type { StoredText } from "./text.ts";

/** A request by a person or a program; only these can be rejected. */
export type Command =
  /** `movedFrom`: its repository was there before, and a person moved it. `isUpdate`: only if it is still registered. */
  | ({ readonly type: "project.register"; readonly movedFrom?: string; readonly isUpdate?: boolean } & ProjectFacts)
  | { readonly type: "project.remove"; readonly id: string }
  /** ciRuns null: no limit of its own; absent: as it is. */
  | { readonly type: "fleet.limit"; readonly limit: number; readonly ciRuns?: number | null }
  | { readonly type: "fleet.prices"; readonly prices: Prices }
  | { readonly type: "fleet.pause"; readonly projectId: string | null }
  | { readonly type: "fleet.resume"; readonly projectId: string | null }
  | { readonly type: "daemon.up"; readonly version: string; readonly pid: number }
  | { readonly type: "daemon.down"; readonly reason: string }
  | {
      readonly type: "session.create";
      readonly projectId: string;
      readonly issue: string | null;
      readonly title: string;
      readonly role: SessionState["role"];
      readonly agent: PluginUse;
      readonly runtime: PluginUse;
      readonly workspace: PluginUse;
      readonly input: AgentInput;
      readonly branch: string | null;
      readonly base: string | null;
      readonly prompt: StoredText;
      readonly promptBytes: number;
      readonly messageId: string;
      /** Random, made after every text in the prompt; absent: none, so marks are easier to guess. */
      readonly markSeed?: string;
      /** Start even over the limit. */
      readonly now: boolean;
      readonly shell?: CallerShell;
      /** Who wrote the issue; absent: the user, or there is none. */
      readonly issueAuthor?: Said;
      /** The pull request that it claims, with its branch; absent: none. */
      readonly pullRequest?: ClaimedChange;
      /** The session whose work it builds on; absent: it starts at the project's base. */
      readonly on?: string;
    }
  | {
      readonly type: "session.send";
      readonly sessionId: string;
      readonly messageId: string;
      readonly text: StoredText;
      readonly bytes: number;
    }
  | {
      readonly type: "session.answer";
      readonly sessionId: string;
      /** The question that was read; absent: whichever is open. */
      readonly questionId?: string | undefined;
      readonly choice: string;
      readonly messageId: string;
    }
  /** Cancels a message that has not been sent yet. */
  | {
      readonly type: "session.cancel-message";
      readonly sessionId: string;
      readonly messageId: string;
      readonly by: string;
    }
  | { readonly type: "session.interrupt"; readonly sessionId: string; readonly messageId: string }
  | { readonly type: "session.stop"; readonly sessionId: string; readonly reason: string }
  /** `now`: starts it although all slots are taken, even if it only waits in the queue. */
  | {
      readonly type: "session.restore";
      readonly sessionId: string;
      readonly now?: boolean;
      /** The caller's shell, replacing the one that the session started with. */
      readonly shell?: CallerShell;
    }
  | { readonly type: "session.move"; readonly sessionId: string; readonly runtime: PluginUse }
  | { readonly type: "project.policy"; readonly id: string; readonly policy: ProjectPolicy }
  | { readonly type: "fleet.routing"; readonly routing: Readonly<Record<NoticePriority, readonly string[]>> }
  | { readonly type: "daemon.woke"; readonly sleptMs: number }
  /** A person lets the next message about a problem go to the agent. */
  | { readonly type: "inbox.pass"; readonly stream: StreamId; readonly problem: string; readonly by: string }
  | { readonly type: "inbox.acknowledge"; readonly stream: StreamId; readonly problem: string; readonly by: string }
  | {
      readonly type: "inbox.snooze";
      readonly id: string;
      /** The occurrence of the item that the person saw. */
      readonly occurrence: string;
      readonly until: number;
      readonly by: string;
    }
  | {
      readonly type: "change.open";
      readonly sessionId: string;
      readonly title: string | null;
      readonly body: StoredText | null;
      readonly facts: BranchReading;
      readonly by: string;
    }
  /** `base`: the branch that it goes into from now on. */
  | { readonly type: "change.retarget"; readonly key: string; readonly base: string; readonly by: string }
  | {
      readonly type: "change.review";
      readonly key: string;
      readonly reviewId: string;
      readonly author: string;
      readonly verdict: Verdict;
      readonly body: StoredText | null;
      readonly comments: readonly {
        readonly path: string | null;
        readonly line: number | null;
        readonly text: StoredText;
      }[];
      /** The reviewed commit; null: the current one. */
      readonly head: string | null;
    }
  | {
      readonly type: "change.reply";
      readonly key: string;
      readonly threadId: string;
      readonly author: string;
      readonly byAgent: boolean;
      readonly text: StoredText;
    }
  | {
      readonly type: "change.resolve";
      readonly key: string;
      readonly threadId: string;
      readonly resolved: boolean;
      readonly by: string;
    }
  | {
      readonly type: "change.label";
      readonly key: string;
      readonly add: readonly string[];
      readonly remove: readonly string[];
      readonly by: string;
    }
  | { readonly type: "change.recheck"; readonly key: string; readonly check: string | null; readonly by: string }
  | {
      readonly type: "change.merge";
      readonly key: string;
      readonly strategy: MergeStrategy | null;
      readonly by: string;
      /** Why the project's own rules do not apply this time. */
      readonly override?: string | null;
    }
  | { readonly type: "train.pause"; readonly projectId: string; readonly by: string }
  | { readonly type: "train.resume"; readonly projectId: string; readonly by: string }
  /** Moves a pull request to another place in the train; 1 is the first. */
  | {
      readonly type: "train.move";
      readonly projectId: string;
      readonly number: number;
      readonly to: number;
      readonly by: string;
    }
  /** Opens a local pull request on the forge of its project. */
  | { readonly type: "change.transfer"; readonly key: string; readonly by: string }
  /** Cancels a requested merge. */
  | { readonly type: "change.cancel-merge"; readonly key: string; readonly by: string }
  | { readonly type: "change.close"; readonly key: string; readonly by: string; readonly reason: string };

/** The command of one type. */
export type CommandOf<T extends Command["type"]> = Extract<Command, { readonly type: T }>;

export type SessionCommand = CommandOf<Extract<Command["type"], `session.${string}`>>;
export type ChangeCommand = CommandOf<Extract<Command["type"], `change.${string}`>>;
export type ProjectCommand = CommandOf<Extract<Command["type"], `project.${string}`>>;
export type TrainCommand = CommandOf<Extract<Command["type"], `train.${string}`>>;
export type FleetCommand = CommandOf<Extract<Command["type"], `fleet.${string}` | `daemon.${string}`>>;

/** What was seen in the world; never rejected, only ignored if it is outdated. */
export type Observation =
  | {
      readonly type: "run.signals";
      readonly sessionId: string;
      readonly run: number;
      readonly signals: readonly StoredSignal[];
    }
  | {
      readonly type: "run.exited";
      readonly sessionId: string;
      readonly run: number;
      readonly code: number | null;
      readonly evidence: string;
    }
  | {
      readonly type: "workspace.inspected";
      readonly sessionId: string;
      readonly generation: number;
      readonly condition: "ready" | "missing" | "branch-missing";
      readonly evidence: string;
      /** The branch or commit that is checked out in place of the session's own branch. */
      readonly on?: string | null;
    }
  /** It printed something that is not a message to `ao`. */
  | { readonly type: "run.output-seen"; readonly sessionId: string; readonly run: number }
  /** A branch was seen at another commit than is known. */
  | { readonly type: "branch.moved"; readonly sessionId: string; readonly facts: BranchReading }
  /** A pull request was seen on its forge. */
  | { readonly type: "change.seen"; readonly key: string; readonly seen: ChangeObservation }
  /** The project's base branch was seen at another commit. */
  | { readonly type: "base.moved"; readonly projectId: string; readonly head: string }
  /** A project's repository was looked at. */
  | { readonly type: "repository.seen"; readonly projectId: string; readonly seen: SeenRepository }
  /** All current collisions in a project. */
  | { readonly type: "collisions.seen"; readonly projectId: string; readonly collisions: readonly Collision[] };

/** What was seen of one session. */
export type SessionObservation = Extract<Observation, { readonly sessionId: string }>;

/** The fate of an effect. */
export type IntentInput =
  | { readonly type: "intent.starting"; readonly id: string }
  | { readonly type: "intent.outcome"; readonly id: string; readonly outcome: IntentOutcome };

export type Input = Command | Observation | IntentInput | { readonly type: "timer" };

export interface Rejection {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type Decision =
  | {
      readonly kind: "accepted";
      readonly events: readonly Emitted[];
      readonly result?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "rejected"; readonly rejection: Rejection };

/** A decision that something happened. */
export function accept(events: readonly Emitted[], result?: Readonly<Record<string, unknown>>): Decision {
  return result === undefined ? { kind: "accepted", events } : { kind: "accepted", events, result };
}

/** A rejection of a command, with what to do instead. */
export function reject(
  code: ErrorCode,
  message: string,
  hint: string,
  data?: Readonly<Record<string, unknown>>,
): Decision {
  return { kind: "rejected", rejection: data === undefined ? { code, message, hint } : { code, message, hint, data } };
}
