import { HOOK_POINTS, type HookCommand, type HookPoint, type Hooks } from "../core/hook/hook.ts";
import { FIGURES } from "./figures.ts";
import { type ResolvePath, resolveFrom } from "./paths.ts";
import { durationMs } from "./schema/scalar.ts";
import type { WrittenConfig } from "./schema.ts";

type WrittenHook = NonNullable<NonNullable<WrittenConfig["hooks"]>[HookPoint]>;
type WrittenEntry = Extract<WrittenHook, readonly unknown[]>[number];

/** The hooks of every point as lists, with their time limits. */
export function normalizeHooks(written: NonNullable<WrittenConfig["hooks"]>, context: ResolvePath): Hooks {
  const out: Partial<Record<HookPoint, readonly HookCommand[]>> = {};
  for (const point of HOOK_POINTS) {
    const hooks = written[point];
    if (hooks !== undefined) out[point] = listHooks(hooks).map((hook) => normalizeHook(hook, context));
  }
  return out;
}

/** One hook is a list of one. */
export function listHooks(written: WrittenHook): readonly WrittenEntry[] {
  return Array.isArray(written) ? written : [written];
}

function normalizeHook(written: WrittenEntry, context: ResolvePath): HookCommand {
  const {
    run = "",
    module,
    timeout,
  }: Exclude<WrittenEntry, string> = typeof written === "string" ? { run: written } : written;
  const timeoutMs = timeout === undefined ? FIGURES.hookTimeoutMs : durationMs(timeout);
  if (module === undefined) return { run, timeoutMs };
  return { module: locate(module, context), from: context.base, timeoutMs };
}

/** What looks like a path is one, otherwise it is a package. */
function locate(module: string, context: ResolvePath): string {
  return /^[./~]/.test(module) ? resolveFrom(context.base, module, context) : module;
}
