import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { ExecRequest, Host } from "../ports/host.ts";

const CHANGING = ["writeText", "append", "makeDir", "remove", "rename", "makeLink", "copy", "cloneTree"] as const;

export interface DyingHost {
  readonly host: Host;
  isDead(): boolean;
}

/**
 * A host that dies after a number of effects: nothing more happens, as after the death of the daemon. `killGit` kills git in the
 * middle of one of its commands, and the daemon with it.
 */
export function dyingHost(
  effects: number,
  killGit?: { readonly command: string; readonly afterMs: number },
): DyingHost {
  const real = createNodeHost({ log: createSilentLog() });
  let left = effects;
  const exec = async (request: ExecRequest): ReturnType<Host["exec"]> => {
    if (killGit === undefined || !request.args.includes(killGit.command)) return real.exec(request);
    try {
      return await real.exec({ ...request, signal: AbortSignal.timeout(killGit.afterMs) });
    } catch (error) {
      left = 0;
      throw error;
    }
  };
  const guard =
    <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      left -= 1;
      if (left < 0) throw new Error("the daemon is dead");
      return run(...args);
    };
  const fs = { ...real.fs };
  for (const name of CHANGING) Object.assign(fs, { [name]: guard(real.fs[name] as () => Promise<unknown>) });
  return { host: { ...real, fs, exec: guard(exec) }, isDead: () => left < 0 };
}

/** Tries a fact with the death after each number of effects, until one run lives to its end. */
export async function diesAfterEach(
  step: number,
  run: (dying: DyingHost, session: string) => Promise<void>,
): Promise<number> {
  for (let effects = 0; ; effects += step) {
    const dying = dyingHost(effects);
    await run(dying, `at-${effects}-`);
    if (!dying.isDead()) return effects;
  }
}
