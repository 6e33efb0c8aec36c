import type { ChangeState } from "../core/change/state.ts";
import { describeHook } from "../core/hook/describe-hook.ts";
import type { HookCommand, Hooks } from "../core/hook/hook.ts";
import type { HookContext, HookPoint } from "../core/hook/hook-module.ts";
import type { SessionState } from "../core/session/state.ts";
import type { Host } from "../ports/host.ts";
import { callModule } from "./call-module.ts";
import type { EffectDeps } from "./executor.ts";
import { type CommandEnd, placeOf, runShellCommand, type ShellCommand } from "./shell-command.ts";

type BeforePoint = Extract<HookPoint, `before-${string}`>;

/** Something that hooks are asked about before it happens. */
interface HookQuestion {
  readonly point: BeforePoint;
  readonly text: string;
  readonly intentId: string;
}

/** Runs the hooks before an effect; why it is refused, or null. It may run again after a crash; AO_INTENT is then the same. */
export async function findRefusal(
  owner: SessionState | ChangeState,
  { point, text, intentId }: HookQuestion,
  deps: EffectDeps,
): Promise<string | null> {
  const hooks = deps.policyOf(owner.projectId)?.hooks ?? {};
  if (hooks[point] === undefined) return null;
  const { cwd, env } = await placeOf(owner, { event: point, text, intentId }, deps);
  const context = describeHook(owner, { point, sentence: text, folder: cwd, intent: intentId });
  return askHooks(deps.host, { hooks, context, env });
}

/** What a hook is run about: the same facts for code and for shell commands. */
interface Occasion extends Pick<ShellCommand, "env"> {
  readonly context: HookContext;
}

/** Runs the commands of one point, one after another; the first that fails says why what follows is refused. */
export async function askHooks(
  host: Pick<Host, "exec" | "env" | "assets">,
  { hooks, ...occasion }: Occasion & { readonly hooks: Hooks },
): Promise<string | null> {
  const { point } = occasion.context;
  for (const hook of hooks[point] ?? []) {
    const reason = await runHook(host, hook, occasion).then(
      (ended) => ended.reason,
      // One that takes too long or cannot be started has not agreed.
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (reason !== "") return `hook ${point} refused: ${reason}`;
  }
  return null;
}

function runHook(
  host: Pick<Host, "exec" | "env" | "assets">,
  hook: HookCommand,
  { context, env }: Occasion,
): Promise<CommandEnd> {
  const { timeoutMs } = hook;
  if ("run" in hook) return runShellCommand(host, { run: hook.run, cwd: context.folder, env, timeoutMs });
  const { module, from } = hook;
  return callModule(host, { call: { module, from, context }, env, timeoutMs });
}
