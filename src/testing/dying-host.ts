import { existsSync, lstatSync } from "node:fs";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { ExecRequest, Host } from "../ports/host.ts";

// Git is configured to write nothing but its result, so these commands change nothing.
const READING = new Set(
  "cat-file check-ignore diff-files diff-index diff-tree for-each-ref log ls-files ls-tree merge-base rev-list rev-parse show-ref status".split(
    " ",
  ),
);
const CHANGING = [
  "writeText",
  "append",
  "makeDir",
  "remove",
  "rename",
  "moveNew",
  "makeLink",
  "copy",
  "cloneTree",
] as const;

export interface DyingHost {
  readonly host: Host;
  isDead(): boolean;
}

interface DyingOptions {
  /** Kills git in the middle of one of its commands, together with the daemon. */
  readonly killGit?: { readonly command: string; readonly afterMs: number };
  /** Counts only effects that leave a trace: a death after any other finds the same state as the death before it. */
  readonly onlyChanges?: boolean;
}

/** A host that dies after a number of effects: nothing more happens, as after the daemon's death. */
export function dyingHost(effects: number, { killGit, onlyChanges = false }: DyingOptions = {}): DyingHost {
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
    <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>, changes: (...args: A) => boolean) =>
    async (...args: A): Promise<R> => {
      if (left >= 0 && (!onlyChanges || changes(...args))) left -= 1;
      if (left < 0) throw new Error("the daemon is dead");
      return run(...args);
    };
  const fs = { ...real.fs };
  for (const name of CHANGING) {
    const run = real.fs[name] as (path: string) => Promise<unknown>;
    Object.assign(fs, { [name]: guard(run, (path) => changesFile(name, path)) });
  }
  return { host: { ...real, fs, exec: guard(exec, isChangingProgram) }, isDead: () => left < 0 };
}

function changesFile(name: (typeof CHANGING)[number], path: string): boolean {
  if (name === "makeDir") return !existsSync(path);
  return name !== "remove" || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isChangingProgram({ program, args }: ExecRequest): boolean {
  const command = args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";
  return program !== "git" || !READING.has(command);
}

/** Tries a fact with a death after each number of changes, until one run survives. */
export async function diesAfterEach(
  step: number,
  run: (dying: DyingHost, session: string) => Promise<void>,
): Promise<number> {
  for (let changes = 0; ; changes += step) {
    const dying = dyingHost(changes, { onlyChanges: true });
    await run(dying, `at-${changes}-`);
    if (!dying.isDead()) return changes;
  }
}
