/** Points at which commands of the configuration run. What comes after `before` awaits them, and one that fails refuses it. */
export const HOOK_POINTS = [
  "before-task-assigned",
  "after-workspace-created",
  "before-agent-started",
  "after-pr-opened",
  "on-ci-finished",
  "before-merge",
  "after-merge",
  "before-cleanup",
] as const;

export type HookPoint = (typeof HOOK_POINTS)[number];

export interface HookCommand {
  readonly run: string;
  readonly timeoutMs: number;
}

/** The commands of a project at each point; absent: none. */
export type Hooks = Readonly<Partial<Record<HookPoint, readonly HookCommand[]>>>;
