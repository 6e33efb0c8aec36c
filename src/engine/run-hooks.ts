import type { ChangeState } from "../core/change/state.ts";
import type { HookPoint, Hooks } from "../core/hook/hook.ts";
import type { SessionState } from "../core/session/state.ts";
import type { Host } from "../ports/host.ts";
import type { EffectDeps } from "./executor.ts";
import { placeOf, runShellCommand, type ShellCommand } from "./shell-command.ts";

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
  return askHooks(deps.host, { hooks, point, ...(await placeOf(owner, { event: point, text, intentId }, deps)) });
}

interface Asked extends Pick<ShellCommand, "cwd" | "env"> {
  readonly hooks: Hooks;
  readonly point: BeforePoint;
}

/** Runs the commands of one point, one after another; the first that fails says why what follows is refused. */
export async function askHooks(
  host: Pick<Host, "exec" | "env">,
  { hooks, point, cwd, env }: Asked,
): Promise<string | null> {
  for (const { run, timeoutMs } of hooks[point] ?? []) {
    const reason = await runShellCommand(host, { run, cwd, env, timeoutMs }).then(
      (ended) => ended.reason,
      // One that takes too long or cannot be started has not agreed.
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (reason !== "") return `hook ${point} refused: ${reason}`;
  }
  return null;
}
