import type { HeldRule } from "./held/held.ts";
import type { Hooks } from "./hook/hook.ts";
import type { MergeStrategy } from "./merge/strategy.ts";
import type { NoticePriority } from "./notice/notice.ts";
import type { PluginUse } from "./plugin-use.ts";
import type { CheckSandboxRule } from "./sandbox.ts";

/**
 * What a project allows and requires, as configured; it is in the log, so that a replay uses the policy of its time.
 */
export interface ProjectPolicy {
  /** auto: a pull request is opened when a turn ends with new commits. */
  readonly openPullRequest: "auto" | "agent";
  readonly checks: Readonly<Record<string, CheckRule>>;
  readonly reactions: Readonly<Record<string, ReactionRule>>;
  readonly merging: MergePolicy;
  readonly scm: PluginUse;
  /** Stop the session and remove its workspace after a merge. */
  readonly cleanUpAfterMerge: boolean;
  /** What happens if a check of the base is red after a merge; absent: off, as in older logs. */
  readonly mainGuard?: MainGuard;
  /** Absent: pull requests merge without a train, as in older logs. */
  readonly train?: TrainPolicy;
  /** How long an agent is idle before its process is ended; null: never, as in older logs. */
  readonly hibernateAfterMs?: number | null;
  /** Absent: no limit, as in older logs. */
  readonly budget?: BudgetLimits;
  /** Absent: collaborators, as in older logs. */
  readonly trust?: TrustPolicy;
  /** Absent: none, and so in older logs. */
  readonly hooks?: Hooks;
  /** How often a red check runs again before its agent hears of it; absent: once, as in older logs. */
  readonly reruns?: number;
  /** What a person approves before any merge. Absent: nothing, as in older logs. */
  readonly held?: HeldRule;
}

/** US dollars that may be spent; null: no limit. */
export interface BudgetLimits {
  readonly perSession: number | null;
  /** Over all sessions of one task. */
  readonly perTask: number | null;
  /** Over all sessions of the project, on one day in UTC. */
  readonly perDay: number | null;
  /** The same over all projects. */
  readonly perDayInAll: number | null;
}

/** off: the base is not checked. notify: people learn which merge broke it. auto: that merge is also reverted. */
export const MAIN_GUARDS = ["off", "notify", "auto"] as const;

export type MainGuard = (typeof MAIN_GUARDS)[number];

/** How the merge train of a project works. */
export interface TrainPolicy {
  /** How many pull requests are checked together. */
  readonly batch: number;
}

/** Whose words reach agents without a person. */
export interface TrustPolicy {
  readonly from: "collaborators" | "everyone" | "nobody";
  /** Names that are trusted, and names that are not, overriding `from`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Automatically merge what an agent did after it read untrusted words. */
  readonly autoMerge: boolean;
  /** Push to the forge what such an agent commits; false: a person passes on each commit. Absent: true, as in older logs. */
  readonly push?: boolean;
  /**
   * The only hosts of its sandbox that such an agent still reaches; false: those of its model. Absent: all of them, as
   * in older logs.
   */
  readonly network?: false | readonly string[];
}

export interface CheckRule {
  readonly run: string;
  /** null: derived from the files of the commit. */
  readonly setup: string | null;
  readonly timeoutMs: number;
  readonly required: boolean;
  readonly on: readonly ("pr" | "main")[];
  /** Absent: inherit, also in older logs. */
  readonly sandbox?: CheckSandboxRule;
}

/** What a rule does about a problem or an event. */
export const REACTION_ACTIONS = [
  "send-to-agent",
  "notify",
  "merge",
  "spawn-reviewer",
  "rerun-ci",
  "stop",
  "comment",
  "label",
  "run",
] as const;

export type ReactionAction = (typeof REACTION_ACTIONS)[number];

export type EscalateAfter =
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "duration"; readonly ms: number };

export interface ReactionRule {
  readonly auto: boolean;
  readonly action: ReactionAction;
  readonly condition: string | null;
  readonly message: string | null;
  /** The maximum number of messages, or of whatever its action does. */
  readonly retries: number;
  /** null: when the retries are used up. */
  readonly escalateAfter: EscalateAfter | null;
  readonly priority: NoticePriority | null;
  readonly thresholdMs: number | null;
  readonly strategy: MergeStrategy | null;
  readonly deleteAfter: boolean;
  /** Messages after which a person approves each further one; null: never, as in older logs. */
  readonly requireApprovalAfter?: number | null;
  /** For the action label. Absent in older logs, like the next one. */
  readonly label?: string | null;
  /** For the action run. */
  readonly run?: string | null;
}

/** The rule for a problem without another rule: a person is notified. */
export const PLAIN_RULE: ReactionRule = {
  auto: true,
  action: "notify",
  condition: null,
  message: null,
  retries: 0,
  escalateAfter: null,
  priority: "action",
  thresholdMs: null,
  strategy: null,
  deleteAfter: false,
};

/** human: a person must approve. none: nobody has to because of `HeldRule`. */
export const PATH_RULES = ["human", "none"] as const;

export type PathRule = (typeof PATH_RULES)[number];

export interface MergePolicy {
  readonly approvals: number;
  readonly checks: readonly string[];
  readonly paths: Readonly<Record<string, PathRule>>;
  readonly maxFiles: number | null;
  readonly maxLines: number | null;
  readonly blockLabels: readonly string[];
  readonly quietHours: QuietHours | null;
  readonly rules: readonly { readonly unless: string; readonly say: string }[];
}

/** Times of day as HH:MM; `to` may be on the next day. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  /** null: the daemon's time zone. */
  readonly timeZone: string | null;
}
