import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pickEnvironment } from "../../core/environment.ts";
import { AoError, type ErrorCode } from "../../core/errors.ts";
import { DAEMON_RUNNING_EXIT } from "../../protocol/daemon-file.ts";
import type { HomePaths } from "../../protocol/home.ts";
import type { HealthView } from "../../protocol/views/daemon.ts";
import { codeOf, exchange } from "./http.ts";
import { makeFolder } from "./make-folder.ts";
import { isSilent, silent } from "./while-answering.ts";

/** Long enough for a busy machine; a daemon that exits is noticed at once. */
const START_LIMIT_MS = 60_000;
const POLL_MS = 20;
const MAX_OUTPUT_BYTES = 1024 * 1024;

const OF_A_SESSION = new Set([
  "AO_BRIEF",
  "AO_SANDBOX",
  "AO_SESSION",
  "AO_PROJECT",
  "AO_TASK",
  "AO_TOKEN",
  "AO_INTENT",
  "AO_BRIDGE",
  "AO_RESUME",
  "AO_SCREEN",
]);

export interface StartOptions {
  /** Added to the environment of the daemon. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the daemon and waits until it answers; throws the daemon's own error if it cannot start. */
export async function startDaemon(paths: HomePaths, options: StartOptions = {}): Promise<HealthView> {
  makeHome(paths);
  const errorBefore = modifiedAt(paths.startError);
  const deadline = Date.now() + START_LIMIT_MS;
  let child = spawnDaemon(paths, options);
  while (Date.now() < deadline) {
    const health = await readHealth(paths);
    if (health !== null) return health;
    if (child.exitCode !== null || child.signalCode !== null) {
      // Another command is starting it at the same moment, or the old one is about to exit: one of them will answer.
      if (child.exitCode !== DAEMON_RUNNING_EXIT) throw readFailure(paths, child, errorBefore);
      if (await isSilent(paths)) throw silent(paths);
      await pause(POLL_MS * 5);
      if ((await readHealth(paths)) === null) child = spawnDaemon(paths, options);
    }
    await pause(POLL_MS);
  }
  throw new AoError({
    code: "daemon-unreachable",
    message: `the daemon did not answer within ${START_LIMIT_MS / 1000} s`,
    hint: `${paths.log} shows what it is doing.`,
  });
}

/** The daemon's state, or null if none answers. */
export async function readHealth(paths: HomePaths): Promise<HealthView | null> {
  try {
    const answer = await exchange({ socket: paths.socket, method: "GET", path: "/healthz", timeoutMs: 2000 });
    return JSON.parse(answer.text) as HealthView;
  } catch {
    return null;
  }
}

/** A program of the application next to the CLI, even when this file runs from source. */
export function appEntry(name: string): string {
  const folder = import.meta.url.endsWith(".ts") ? "../../../dist/app/" : "../app/";
  return fileURLToPath(new URL(`${folder}${name}.js`, import.meta.url));
}

function spawnDaemon(paths: HomePaths, options: StartOptions): ChildProcess {
  const output = openOutput(outputFile(paths));
  try {
    const child = spawn(process.execPath, [appEntry("daemon")], {
      detached: true,
      cwd: "/",
      stdio: ["ignore", output, output],
      // Relative to this command's folder, which the daemon does not share.
      env: { ...withoutSession(process.env), AO_HOME: paths.home, ...options.env },
    });
    child.on("error", () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

/**
 * An agent may be the first to call. The daemon belongs to no session: it must not end with what that one started, nor have the keys and
 * the name in git that the project gave to its agent.
 */
function withoutSession(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const session = env["AO_SESSION"] ?? "";
  const own = Object.entries(env).filter(([name]) => !OF_A_SESSION.has(name));
  if (session === "") return Object.fromEntries(own);
  const ours = own.filter(([name]) => name.startsWith("AO_"));
  const listed = Object.entries(pickEnvironment(env)).filter(([name]) => !IDENTITY.test(name));
  return { ...Object.fromEntries([...listed, ...ours]), AO_STARTED_BY: session };
}

const IDENTITY = /^GIT_(AUTHOR|COMMITTER)_/;

function makeHome(paths: HomePaths): void {
  try {
    makeFolder(paths.home);
    makeFolder(dirname(paths.log));
    closeSync(openOutput(outputFile(paths)));
  } catch (cause) {
    throw homeUnusable(paths.home, cause);
  }
}

function homeUnusable(home: string, cause: unknown): AoError {
  const code = codeOf(cause);
  if (code === "ENOSPC" || code === "EDQUOT") {
    const hint = "Free some space, or set AO_HOME to a folder on another disk.";
    return new AoError({ code: "disk-full", message: `no space left for ${home}`, hint, cause });
  }
  const why = code === "EROFS" ? "the file system is read-only" : (code ?? String(cause));
  const message = `${home} cannot be used: ${why}`;
  const hint = "Make it writable, or set AO_HOME to a folder that is.";
  return new AoError({ code: "store-unwritable", message, hint, cause });
}

/** The daemon's own explanation of why it exited, if it left one. */
function readFailure(paths: HomePaths, child: ChildProcess, errorBefore: number): AoError {
  if (modifiedAt(paths.startError) !== errorBefore) {
    try {
      const written = JSON.parse(readFileSync(paths.startError, "utf8")) as Record<string, string | null>;
      return new AoError({
        code: (written["code"] ?? "internal") as ErrorCode,
        message: written["message"] ?? "the daemon could not start",
        hint: written["hint"] ?? undefined,
      });
    } catch {
      // An unreadable explanation counts as none.
    }
  }
  const unusable = tryToWrite(paths.home);
  if (unusable !== null) return unusable;
  const how = child.signalCode === null ? `with code ${child.exitCode}` : `by ${child.signalCode}`;
  const message = `the daemon ended ${how} before it answered`;
  return new AoError({ code: "daemon-unreachable", message, hint: `${outputFile(paths)} shows its last output.` });
}

/** On a full disk the daemon cannot leave an explanation: an empty file is created, but nothing fits into it. */
function tryToWrite(home: string): AoError | null {
  const file = `${home}/.write-test-${process.pid}`;
  try {
    writeFileSync(file, "x".repeat(4096), { mode: 0o600 });
    return null;
  } catch (cause) {
    return homeUnusable(home, cause);
  } finally {
    rmSync(file, { force: true });
  }
}

function outputFile(paths: HomePaths): string {
  return `${dirname(paths.log)}/daemon.out`;
}

/** Appends, so that two simultaneous starts do not truncate each other's output, but never grows without bound. */
function openOutput(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > MAX_OUTPUT_BYTES ? "w" : "a", 0o600);
}

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
