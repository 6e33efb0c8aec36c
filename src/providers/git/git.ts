import type { ExecResult, Host } from "../../ports/host.ts";
import { failure, tailOf } from "./failure.ts";

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly stdin?: string | undefined;
  /** Exit codes that are answers; default [0]. */
  readonly okCodes?: readonly number[] | undefined;
  /** Let the user's hooks run; default no. */
  readonly hooks?: boolean | undefined;
}

export type Git = (call: GitCall) => Promise<ExecResult>;

const EVERY_CODE: readonly number[] = Array.from({ length: 256 }, (_, code) => code);
const TEN_MINUTES_MS = 600_000;
// File lists of very large repositories.
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

// Whatever git exported to the process that started the daemon (a hook, for example) must not redirect our calls.
const INHERITED = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
  "GIT_CONFIG_PARAMETERS",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_EXTERNAL_DIFF",
] as const;

/** Environment changes that every program started here gets. */
export const CLEAN_ENV: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  INHERITED.map((name) => [name, undefined]),
);

const NO_BACKGROUND_WORK = ["gc.auto=0", "maintenance.auto=false"];
// The user's hooks off, and every setting that could hide a change from us.
const EXACT = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.safecrlf=false",
  "core.splitIndex=false",
  "i18n.commitEncoding=UTF-8",
  "advice.addEmbeddedRepo=false",
];

/** Arguments and environment of a git call, for the few that run inside a shell pipe. */
export function gitCommand(call: Pick<GitCall, "args" | "env" | "hooks">): {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
} {
  // Hooks inherit what is given with -c, so that they get as little of it as can be.
  const settings = call.hooks === true ? NO_BACKGROUND_WORK : [...NO_BACKGROUND_WORK, ...EXACT];
  return {
    args: [...settings.flatMap((setting) => ["-c", setting]), ...call.args],
    env: { ...CLEAN_ENV, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", ...call.env },
  };
}

/** Makes the one way in which plugins run git. */
export function createGit(host: Host): Git {
  return async function git(call) {
    const { args, env } = gitCommand(call);
    const result = await host.exec({
      program: "git",
      args,
      cwd: call.cwd,
      env,
      timeoutMs: TEN_MINUTES_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      okCodes: EVERY_CODE,
      ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
    });
    if ((call.okCodes ?? [0]).includes(result.code)) return result;
    throw gitFailure(call, result);
  };
}

function gitFailure(call: GitCall, result: ExecResult): Error {
  const command = call.args.slice(0, 2).join(" ");
  const why = tailOf(result.stderr, 4);
  const full = why.includes("No space left on device");
  return failure(full ? "disk-full" : "git-failed", "unavailable", {
    message: `git ${command} failed in ${call.cwd} (exit code ${result.code}): ${why}`,
    hint: full ? "Free some space on the disk, then try again." : undefined,
    data: { exitCode: result.code, stderr: why },
  });
}

/** Fields of output that was asked for with `-z`. */
export function splitNul(text: string): string[] {
  const fields = text.split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}
