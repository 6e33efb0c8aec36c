import type { Prices } from "../core/cost/prices.ts";
import type { Hooks } from "../core/hook/hook.ts";
import type { NoticePriority } from "../core/notice/notice.ts";
import type { CheckRule, MainGuard, MergePolicy, ReactionRule, TrainPolicy, TrustPolicy } from "../core/policy.ts";
import type { AgentInterface } from "../ports/agent.ts";

export type { NoticePriority } from "../core/notice/notice.ts";
export type { EscalateAfter, QuietHours } from "../core/policy.ts";
export type CheckConfig = CheckRule;
export type ReactionConfig = ReactionRule;
export type PolicyConfig = MergePolicy;

/**
 * The normalized configuration: one form for everything that can be written in several, with every default resolved.
 * `null` means "not configured, decided where it is used"; it is never a missing answer.
 */
export interface Config {
  readonly machine: MachineConfig;
  readonly projects: Readonly<Record<string, ProjectConfig>>;
}

/** Which adapter fills a slot, and its settings. */
export interface PluginRef {
  readonly plugin: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Settings of the daemon, independent of the project. */
export interface MachineConfig {
  /** null: not configured, so the default falls back to the next free port. */
  readonly port: number | null;
  readonly host: string;
  readonly defaults: DefaultPlugins;
  readonly limits: MachineLimits;
  /** The user's own prices; ao's built-in list is not included. */
  readonly prices: Prices;
  readonly orchestrator: { readonly autoAssign: boolean };
  readonly agents: readonly FleetAgent[];
  readonly notifiers: Readonly<Record<string, PluginRef>>;
  readonly notificationRouting: Readonly<Partial<Record<NoticePriority, readonly string[]>>>;
  readonly plugins: readonly ExternalPlugin[];
  readonly hooks: Hooks;
  /** null: the platform decides. */
  readonly power: { readonly preventIdleSleep: boolean | null };
  readonly dashboard: DashboardConfig;
  /** null: forges have no public URL for this machine. */
  readonly webhooks: { readonly url: string | null };
  readonly lifecycle: LifecycleConfig;
}

export interface DashboardConfig {
  readonly allowedHosts: readonly string[];
  /** Absolute paths; null: no TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Addresses and ranges. */
  readonly trustedProxies: readonly string[];
}

export interface DefaultPlugins {
  /** null: tmux where it is available, process elsewhere. */
  readonly runtime: PluginRef | null;
  readonly agent: PluginRef | null;
  readonly workspace: PluginRef;
  readonly tracker: PluginRef;
  readonly scm: PluginRef;
  /** null: not configured, so the desktop is used if there is one. */
  readonly notifiers: readonly string[] | null;
  readonly terminal: PluginRef | null;
}

export interface MachineLimits {
  readonly parallelAgents: number;
  /** null: no limit beyond `parallelAgents`. */
  readonly perProject: number | null;
  /** null: checks have no limit of their own. */
  readonly ciRuns: number | null;
  /** How often a failed check runs again before its agent gets a message. */
  readonly reruns: number;
  /** Free memory below which no agent starts. */
  readonly memoryBytes: number | null;
  /** Load average per core above which no agent starts. */
  readonly load: number | null;
  readonly costPerSession: number | null;
  readonly costPerTask: number | null;
  readonly costPerDay: number | null;
}

export type ProjectLimits = Pick<
  MachineLimits,
  "perProject" | "reruns" | "costPerSession" | "costPerTask" | "costPerDay"
>;

/** A kind of worker in the fleet, and the tasks it takes. */
export interface FleetAgent {
  readonly id: string;
  readonly runtime: PluginRef | null;
  readonly agent: PluginRef | null;
  readonly skills: readonly string[];
  readonly labels: readonly string[];
  readonly excludeLabels: readonly string[];
}

export interface ExternalPlugin {
  readonly name: string | null;
  readonly source:
    | { readonly kind: "npm"; readonly package: string }
    | { readonly kind: "path"; readonly path: string };
  readonly enabled: boolean;
}

export interface LifecycleConfig {
  readonly autoCleanupOnMerge: boolean;
  /** null: never. */
  readonly hibernateAfterMs: number | null;
  readonly polling: { readonly runningMs: number; readonly quietMs: number; readonly idleMs: number };
}

export type GitIdentity = "agent" | "user" | { readonly name: string; readonly email: string };

export interface ProjectConfig {
  readonly id: string;
  /** For people; the id if not configured. */
  readonly name: string;
  /** owner/name or a URL. */
  readonly repo: string | null;
  /** Absolute. */
  readonly path: string;
  /** null: as the repository says. */
  readonly defaultBranch: string | null;
  readonly sessionPrefix: string;
  readonly runtime: PluginRef | null;
  /** With `agentConfig` merged into its config, apart from `interface`. */
  readonly agent: PluginRef | null;
  /** null: terminal with tmux, structured otherwise. */
  readonly agentInterface: AgentInterface | null;
  /** As written, for an agent that is chosen later. */
  readonly agentConfig: Readonly<Record<string, unknown>>;
  readonly workspace: PluginRef;
  readonly tracker: PluginRef;
  readonly scm: PluginRef;
  readonly env: Readonly<Record<string, string>>;
  readonly symlinks: readonly string[];
  readonly postCreate: readonly string[];
  readonly preRemove: readonly string[];
  readonly agentRules: string | null;
  /** Absolute; relative paths start at the project's folder. */
  readonly agentRulesFile: string | null;
  /** Absolute; null: `<path>/.worktrees`. */
  readonly worktreeDir: string | null;
  readonly gitIdentity: GitIdentity;
  readonly openPullRequest: "auto" | "agent";
  /** null: detected from the project. */
  readonly checks: Readonly<Record<string, CheckConfig>> | null;
  readonly reactions: Readonly<Record<string, ReactionConfig>>;
  readonly trust: TrustPolicy;
  readonly policies: PolicyConfig;
  readonly mainGuard: MainGuard;
  /** null: off. */
  readonly train: TrainPolicy | null;
  readonly limits: ProjectLimits;
}
