import { lstatSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AoError } from "../../core/errors.ts";
import type { Api, Call, ParamsOf } from "../../protocol/api.ts";
import { type HomePaths, isPrivateFolder } from "../../protocol/home.ts";
import { buildRequest, type RawRequest, readAnswer } from "../../protocol/request.ts";
import { currentHome } from "./home.ts";
import { codeOf, exchange, isAbsent, isBroken } from "./http.ts";
import { isEnclosed } from "./is-enclosed.ts";
import { findReachedLimit } from "./open-files.ts";
import type { HttpAnswer } from "./parse-answer.ts";
import { readPid, whileAnswering } from "./while-answering.ts";

export interface Client {
  readonly paths: HomePaths;
  call<C extends Call>(call: C, options?: CallOptions<C>): Promise<Api[C]["out"]>;
  /** Sends any request; returns the daemon's answer as is, even if it is an error. */
  send(request: RawRequest): Promise<HttpAnswer>;
}

export interface CallOptions<C extends Call> {
  /** Values for the `:name` parts of the path. */
  readonly params?: ParamsOf<C>;
  /** Query of a GET, otherwise the body. */
  readonly input?: Api[C]["in"];
}

/** How long to retry, with the same key, if the daemon dies while it answers. */
const RETRY_LIMIT_MS = 8000;
const RETRY_PAUSE_MS = 100;
const READ_TIMEOUT_MS = 60_000;
/** Creating a workspace may run the project's own set-up before the answer comes. */
const WRITE_TIMEOUT_MS = 15 * 60_000;

/** The daemon of this AO_HOME; starts it on first use unless `start` is false. */
export function connect(options: { readonly start?: boolean } = {}): Client {
  const paths = currentHome();
  requirePrivateSocket(paths);
  const send = (request: RawRequest): Promise<HttpAnswer> => deliver(paths, request, options.start !== false);
  async function call<C extends Call>(name: C, callOptions: CallOptions<C> = {}): Promise<Api[C]["out"]> {
    return readAnswer(await send(buildRequest(name, callOptions.params ?? {}, callOptions.input))) as Api[C]["out"];
  }
  return { paths, call, send };
}

async function deliver(paths: HomePaths, request: RawRequest, mayStart: boolean): Promise<HttpAnswer> {
  const isWrite = request.method !== "GET";
  // The same key for a retry, so that a request whose outcome was lost is performed once.
  const headers = { ...(isWrite ? { "idempotency-key": crypto.randomUUID() } : {}), ...ownToken() };
  const timeoutMs = isWrite ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS;
  const again = createRetries(paths, { isWrite, mayStart });
  while (true) {
    try {
      return await whileAnswering(paths, (signal) =>
        exchange({ socket: paths.socket, ...request, headers, timeoutMs, signal }),
      );
    } catch (cause) {
      await again(cause);
    }
  }
}

/** Prepares another attempt after a failure, or throws the error to report. */
function createRetries(
  paths: HomePaths,
  { isWrite, mayStart }: { readonly isWrite: boolean; readonly mayStart: boolean },
): (cause: unknown) => Promise<void> {
  let brokenAt: number | null = null;
  let hasStarted = false;
  return async (cause) => {
    const isLate = brokenAt !== null && performance.now() - brokenAt > RETRY_LIMIT_MS;
    const isAway = isAbsent(cause) && isEnclosed();
    if (isAway && (isLate || !hasOwnSocket(paths))) throw enclosed(cause);
    if ((isBroken(cause) || isAway) && !isLate) {
      brokenAt ??= performance.now();
      await pause(RETRY_PAUSE_MS);
      return;
    }
    const mayStartAgain = brokenAt === null ? !hasStarted : !isLate;
    if (!(isAbsent(cause) && mayStart && mayStartAgain)) {
      const isUnknown = isWrite && brokenAt !== null && (!isBroken(cause) || outOfFiles(paths, cause) === null);
      throw isUnknown ? outcomeUnknown(cause) : unreachable(paths, cause);
    }
    hasStarted = true;
    const { startDaemon } = await import("./launch-daemon.ts");
    await startDaemon(paths);
  };
}

// The connection broke in the middle of a write, and no daemon has answered since.
function outcomeUnknown(cause: unknown): AoError {
  return new AoError({
    code: "daemon-unreachable",
    message: "the daemon exited while handling this, so the outcome is unknown",
    hint: "`ao list` shows what exists; `ao doctor` checks the daemon.",
    cause,
  });
}

/** Anyone else who can write to the socket's folder could pose as the daemon and read what is sent. */
function requirePrivateSocket({ socketFolder }: HomePaths): void {
  // Nobody else writes into the folders of a sandbox.
  if (socketFolder === null || isEnclosed()) return;
  const found = lstatSync(socketFolder, { throwIfNoEntry: false });
  if (found === undefined || isPrivateFolder(found, process.getuid?.() ?? 0)) return;
  throw new AoError({
    code: "store-unwritable",
    message: `${socketFolder}, the folder of the daemon's socket, belongs to another user or is open to others`,
    hint: "Remove it, set XDG_RUNTIME_DIR, or choose a shorter AO_HOME.",
  });
}

// In an agent's sandbox the daemon answers only that session, with its token; a check's sandbox has no daemon.
function ownToken(): Readonly<Record<string, string>> {
  const token = process.env["AO_TOKEN"];
  return isEnclosed() && token !== undefined ? { authorization: `Bearer ${token}` } : {};
}

// The mount stays while no daemon runs: the next one answers there.
function hasOwnSocket({ socket }: HomePaths): boolean {
  return lstatSync(socket, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function enclosed(cause: unknown): AoError {
  return new AoError({
    code: "daemon-unreachable",
    message: "the daemon cannot be reached from inside a sandbox",
    hint: "`ao start` starts it. A person has to run that, outside the session.",
    cause,
  });
}

/** Why the daemon gave no answer; `proc` is where Linux describes processes. */
export function unreachable(
  paths: Pick<HomePaths, "daemon" | "log" | "socket">,
  cause: unknown,
  proc?: string,
): AoError {
  if (isAbsent(cause)) {
    return new AoError({ code: "daemon-unreachable", message: "the daemon is not running", hint: "ao start", cause });
  }
  if (cause instanceof AoError) return cause;
  const exhausted = isBroken(cause) ? outOfFiles(paths, cause, proc) : null;
  if (exhausted !== null) return exhausted;
  const code = codeOf(cause);
  const why =
    code === "EACCES" || code === "EPERM"
      ? `its socket ${paths.socket} belongs to another user`
      : code === "ETIMEDOUT"
        ? "it does not answer"
        : isBroken(cause)
          ? `it closed the connection without an answer (${code})`
          : `${code ?? String(cause)} on ${paths.socket}`;
  const hint = `${paths.log} shows what it is doing; \`ao doctor\` checks the rest.`;
  return new AoError({ code: "daemon-unreachable", message: `the daemon cannot be reached: ${why}`, hint, cause });
}

// The system accepts a connection for a program that has no descriptor left for it, and closes it at once.
function outOfFiles(paths: Pick<HomePaths, "daemon">, cause: unknown, proc?: string): AoError | null {
  const pid = readPid(paths);
  const limit = findReachedLimit(pid, proc);
  if (limit === null) return null;
  return new AoError({
    code: "daemon-unreachable",
    message: `the daemon (pid ${pid}) accepts no connection: it has all of its ${limit} files open`,
    hint: "Close dashboards, `ao ui` and commands that follow. If it happens again: `ao stop`, then `ulimit -n 4096; ao start`.",
    cause,
  });
}
