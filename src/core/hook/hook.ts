import type { HookContext, HookPoint, Hooks as ModuleFunctions } from "./hook-module.ts";

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
] as const satisfies readonly HookPoint[];

export type { HookPoint } from "./hook-module.ts";

/** Code that is called instead of a shell command. */
export interface ModuleRef {
  /** An absolute path, or the name of a package. */
  readonly module: string;
  /** The folder of the configuration file, where packages are looked for. */
  readonly from: string;
}

interface ShellHook {
  readonly run: string;
  readonly timeoutMs: number;
}

interface ModuleHook extends ModuleRef {
  readonly timeoutMs: number;
}

export type HookCommand = ShellHook | ModuleHook;

/** The commands of a project at each point; absent: none. */
export type Hooks = Readonly<Partial<Record<HookPoint, readonly HookCommand[]>>>;

/** What the program that calls a module reads from its standard input (src/hook-runner/main.ts). */
export interface ModuleCall extends ModuleRef {
  readonly context: HookContext;
}

/** Is the module a file? Otherwise it is a package. */
export function isFile({ module }: ModuleRef): boolean {
  return module.startsWith("/");
}

/** The name of a module's function for a point: `beforeMerge` for `before-merge`. */
export function functionName(point: HookPoint): keyof ModuleFunctions {
  return point.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof ModuleFunctions;
}
