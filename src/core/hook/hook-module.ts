// The types of hooks in code. The build copies this file to dist/index.d.ts, the types of the package, so it imports nothing
// and declares only types.

/** What a hook is called about. Titles, branch names, labels and sentences contain text that other people or agents wrote. */
export type HookContext = TaskHookContext | SessionHookContext | PullRequestHookContext;

/** Where a hook is called. What comes after `before` waits for its hooks, and each of them can refuse it. */
export type HookPoint = HookContext["point"];

interface CommonContext {
  /** One sentence about what happens, such as "#3 is about to be merged"; for `before-task-assigned` the title of the task. */
  readonly sentence: string;
  readonly project: string;
  /** The issue in the tracker; null: the task has none. */
  readonly issue: string | null;
  /** The current folder: the worktree or the repository. */
  readonly folder: string;
}

export interface TaskHookContext extends CommonContext {
  readonly point: "before-task-assigned";
  readonly session: null;
  readonly branch: null;
  readonly pullRequest: null;
  readonly intent: null;
}

export interface SessionHookContext extends CommonContext {
  readonly point: "after-workspace-created" | "before-agent-started" | "before-cleanup";
  readonly session: string;
  readonly branch: string;
  readonly pullRequest: null;
  /** The same if the hook is called again after a crash. */
  readonly intent: string;
}

export interface PullRequestHookContext extends CommonContext {
  readonly point: "after-pr-opened" | "on-ci-finished" | "before-merge" | "after-merge";
  /** null: no session belongs to it. */
  readonly session: string | null;
  readonly branch: string;
  readonly pullRequest: HookPullRequest;
  /** The same if the hook is called again after a crash. */
  readonly intent: string;
}

export interface HookPullRequest {
  readonly number: number;
  readonly title: string;
  /** Its newest commit. */
  readonly head: string;
  /** The branch that it is merged into. */
  readonly base: string;
  readonly labels: readonly string[];
  /** Its page on the forge; null: it has none. */
  readonly url: string | null;
}

/** Nothing or true: continue. false, or a reason to refuse: refused before something happens, failed after it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing agrees.
export type HookResult = void | null | boolean | { readonly refuse: string };

/** A function of a module. An error that it throws counts as a reason to refuse. */
export type Hook<Context extends HookContext = HookContext> = (context: Context) => HookResult | Promise<HookResult>;

/** The functions of a module, by the points at which they are called. */
export interface Hooks {
  readonly beforeTaskAssigned?: Hook<TaskHookContext>;
  readonly afterWorkspaceCreated?: Hook<SessionHookContext>;
  readonly beforeAgentStarted?: Hook<SessionHookContext>;
  readonly afterPrOpened?: Hook<PullRequestHookContext>;
  readonly onCiFinished?: Hook<PullRequestHookContext>;
  readonly beforeMerge?: Hook<PullRequestHookContext>;
  readonly afterMerge?: Hook<PullRequestHookContext>;
  readonly beforeCleanup?: Hook<SessionHookContext>;
}
