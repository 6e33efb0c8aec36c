import { pickEnvironment } from "../../core/environment.ts";
import type { ExecRequest, ExecResult, Host } from "../../ports/host.ts";
import { failure, tailOf } from "./failure.ts";
import { refuseLinks } from "./links.ts";
import { type GitFolders, requireFolders } from "./repository.ts";

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Settings passed through the environment, so that they do not show up in process lists. */
  readonly settings?: readonly (readonly [string, string])[] | undefined;
  readonly stdin?: string | undefined;
  /** Exit codes that are answers; default [0]. */
  readonly okCodes?: readonly number[] | undefined;
  /** Let the user's hooks run; default no. */
  readonly hooks?: boolean | undefined;
  /** A shell script that runs `git "$@"`, to cut or compare its output in a pipe. */
  readonly script?: string | undefined;
  /** Let git find the repository itself: for a folder that belongs to no project yet, or is about to become one. */
  readonly discover?: boolean | undefined;
  /** The git folders, if they cannot be found from `cwd`. */
  readonly folders?: GitFolders | undefined;
}

export type Git = (call: GitCall) => Promise<ExecResult>;

/** Returns a shared git folder for a repository that belongs to an agent: one whose settings the agent cannot write. */
export type CoverFolder = (folders: GitFolders) => Promise<string>;

/** Returns settings, as names and values, that override those of a repository. */
export type FindOverrides = (folders: GitFolders, call: GitCall) => Promise<readonly (readonly [string, string])[]>;

/** What differs between the repositories that git is run in. */
export interface GitGuards {
  readonly cover?: CoverFolder;
  readonly overrides?: FindOverrides;
}

/** For callers that judge the exit code themselves. */
export const EVERY_CODE: readonly number[] = Array.from({ length: 256 }, (_, code) => code);
/** Commands that read files of a checkout and write nothing, so that they can be repeated. */
const READING: readonly string[] = ["diff", "diff-files", "diff-index", "status"];
const MAX_ATTEMPTS = 5;
const TEN_MINUTES_MS = 600_000;
// Large enough for the file lists of very large repositories.
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

const NO_BACKGROUND_WORK = ["gc.auto=0", "maintenance.auto=false"];
// Turns off the user's hooks, every setting that could hide a change, and settings that name programs no call of ours
// needs.
const EXACT = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.safecrlf=false",
  "core.splitIndex=false",
  "core.alternateRefsCommand=true",
  "log.showSignature=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "i18n.commitEncoding=UTF-8",
  "advice.addEmbeddedRepo=false",
];

/** Creates the only way in which `ao` runs git: explicit folders, no links, and an environment without secrets. */
export function createGit(host: Host, guards: GitGuards = {}): Git {
  return async function git(call) {
    const folders = await findSafe(host, call, guards.cover);
    const overrides = folders === null ? [] : ((await guards.overrides?.(folders, call)) ?? []);
    const { script } = call;
    const args = settingsOf(call)
      .flatMap((setting) => ["-c", setting])
      .concat(call.args);
    const result = await execAgain(host, call, {
      program: script === undefined ? "git" : "sh",
      args: script === undefined ? args : ["-c", script, "sh", ...args],
      cwd: call.cwd,
      exactEnv: {
        ...environmentOf(host, call, folders),
        ...settingsAsVariables([...overrides, ...(call.settings ?? [])]),
      },
      timeoutMs: TEN_MINUTES_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      okCodes: EVERY_CODE,
      ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
    });
    if ((call.okCodes ?? [0]).includes(result.code)) return result;
    throw gitFailure(call, result);
  };
}

// A file that somebody shortens while git reads it ends git with SIGBUS.
async function execAgain(host: Host, call: GitCall, request: ExecRequest): Promise<ExecResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await host.exec(request);
    } catch (error) {
      const isRead = READING.includes(call.args.find((word) => !word.startsWith("-")) ?? "");
      if (signalOf(error) !== "SIGBUS" || !isRead || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function signalOf(error: unknown): unknown {
  return (error as { readonly facts?: { readonly signal?: unknown } }).facts?.signal;
}

async function findSafe(host: Host, call: GitCall, cover: CoverFolder | undefined): Promise<GitFolders | null> {
  if (call.discover === true) return null;
  const found = call.folders ?? (await requireFolders(host.fs, call.cwd));
  if (found === null) return null;
  await refuseLinks(host.fs, found, call);
  return cover === undefined ? found : { ...found, commonDir: await cover(found) };
}

// Hooks inherit -c settings, so they get as few as possible.
function settingsOf({ hooks }: GitCall): readonly string[] {
  return hooks === true ? NO_BACKGROUND_WORK : [...NO_BACKGROUND_WORK, ...EXACT];
}

function environmentOf(host: Host, call: GitCall, folders: GitFolders | null): Record<string, string> {
  return {
    ...pickEnvironment(host.env),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // With replaced objects or grafts, a person would see a different commit than the one merged and pushed.
    GIT_NO_REPLACE_OBJECTS: "1",
    // A path that cannot exist: git warns about every grafts file, even an empty one.
    GIT_GRAFT_FILE: "/dev/null/none",
    LC_ALL: "C",
    ...(folders === null ? {} : foldersAsVariables(folders)),
    ...call.env,
  };
}

// Not with -c, which cannot separate a name that contains "=" from its value.
function settingsAsVariables(settings: readonly (readonly [string, string])[]): Record<string, string> {
  if (settings.length === 0) return {};
  const pairs = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

function foldersAsVariables({ gitDir, commonDir, workTree }: GitFolders): Record<string, string> {
  return { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, ...(workTree === null ? {} : { GIT_WORK_TREE: workTree }) };
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

/** The fields of `-z` output. */
export function splitNul(text: string): string[] {
  const fields = text.split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}
