import { type ChildProcess, spawn } from "node:child_process";
import type { ExecRequest, ExecResult } from "../ports/host.ts";
import { ExecError, type ExecFacts, type ExecReason } from "./exec-error.ts";
import { currentIntent } from "./intent-context.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** How long the output may stay open after the program exits: a program that it left running may never close it. */
const GRACE_MS = 1000;
/** How long a killed program has to end; one that waits for a dead file system never does. */
const KILL_MS = 10_000;

type Stop = Pick<ExecFacts, "reason" | "detail">;
type Exit = Pick<ExecFacts, "code" | "signal">;

/** Runs a program to its end, in its own process group, with bounded time and output. */
export function exec(request: ExecRequest): Promise<ExecResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(request.program, [...request.args], {
      ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
      env: environmentOf(request),
      stdio: [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      // Its own group, so a timeout also ends the program's children.
      detached: true,
    });
    const collected = collect(child, request);
    const limits = enforceLimits(child, request, collected);
    const fail = (facts: Stop & Exit, cause?: unknown): void => {
      const { program, args, cwd } = request;
      const stderrTail = collected.stderr().slice(-4000);
      reject(new ExecError({ program, args, cwd, stderrTail, ...facts }, cause));
    };
    child.once("error", (error) => {
      if (child.pid !== undefined) return;
      limits.release();
      fail({ reason: "spawn", detail: spawnDetail(error, request), code: null, signal: null }, error);
    });
    awaitEnd({ child, collected, limits }, ({ code, signal }) => {
      if (child.pid === undefined) return;
      const stop = limits.stopped();
      if (stop !== null) return fail({ ...stop, code, signal });
      if (code === null || !(request.okCodes ?? [0]).includes(code)) {
        return fail({ reason: "exit", detail: "", code, signal });
      }
      resolve({ code, stdout: collected.stdout(), stderr: collected.stderr() });
    });
  });
}

interface Limits {
  /** Why the program was killed; null: it was not. */
  stopped(): Stop | null;
  /** It was killed and does not end. */
  onStuck: () => void;
  clearTimeLimit(): void;
  release(): void;
}

function enforceLimits(child: ChildProcess, request: ExecRequest, collected: Collected): Limits {
  let stopped: Stop | null = null;
  let stuck: NodeJS.Timeout | undefined;
  const stop = (reason: ExecReason, detail: string): void => {
    // The first reason wins: a kill after a timeout also looks like an exit by signal.
    if (stopped !== null) return;
    stopped = { reason, detail };
    killGroup(child);
    stuck = setTimeout(() => limits.onStuck(), KILL_MS);
  };
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => stop("timeout", `${timeoutMs / 1000} s`), timeoutMs);
  const onAbort = (): void => stop("aborted", "");
  const limits: Limits = {
    stopped: () => stopped,
    onStuck: () => undefined,
    clearTimeLimit: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      clearTimeout(stuck);
      request.signal?.removeEventListener("abort", onAbort);
    },
  };
  collected.onOverflow = (limit) => stop("output-limit", `${limit} bytes`);
  request.signal?.addEventListener("abort", onAbort, { once: true });
  if (request.signal?.aborted) onAbort();
  return limits;
}

interface Running {
  readonly child: ChildProcess;
  readonly collected: Collected;
  readonly limits: Limits;
}

/** Calls `onEnd` once, when the program has exited and everything that it wrote was read. */
function awaitEnd({ child, collected, limits }: Running, onEnd: (exit: Exit) => void): void {
  let exit: Exit = { code: null, signal: null };
  let grace: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(grace);
    limits.release();
    for (const stream of child.stdio) stream?.destroy();
    onEnd(exit);
  };
  // A busy daemon may not have read yet what the program wrote. If nothing comes while it polls, that was all.
  const endOnceRead = (): void => {
    const before = collected.bytes();
    setImmediate(() => (collected.bytes() === before || limits.stopped() !== null ? end() : endOnceRead()));
  };
  limits.onStuck = end;
  child.once("exit", (code, signal) => {
    exit = { code, signal };
    limits.clearTimeLimit();
    grace = setTimeout(endOnceRead, GRACE_MS);
  });
  child.once("close", end);
}

function environmentOf(request: ExecRequest): NodeJS.ProcessEnv {
  const intent = currentIntent();
  const mark = intent === undefined ? {} : { AO_INTENT: intent };
  if (request.exactEnv !== undefined) return { ...mark, ...request.exactEnv };
  return { ...process.env, ...mark, ...request.env };
}

function spawnDetail(error: NodeJS.ErrnoException, request: ExecRequest): string {
  if (error.code !== "ENOENT") return error.message;
  return request.cwd === undefined ? "it is not on PATH" : `it is not on PATH, or the folder ${request.cwd} is gone`;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is already gone, which is what we wanted.
  }
}

interface Collected {
  onOverflow: (limit: number) => void;
  /** How much was read in all. */
  bytes(): number;
  stdout(): string;
  stderr(): string;
}

function collect(child: ChildProcess, request: ExecRequest): Collected {
  const limit = request.maxOutputBytes ?? DEFAULT_MAX_BYTES;
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  const sizes = { stdout: 0, stderr: 0 };
  const collected: Collected = {
    onOverflow: () => undefined,
    bytes: () => sizes.stdout + sizes.stderr,
    stdout: () => Buffer.concat(chunks.stdout).toString("utf8"),
    stderr: () => Buffer.concat(chunks.stderr).toString("utf8"),
  };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk: Buffer) => {
      sizes[name] += chunk.length;
      if (sizes[name] > limit) collected.onOverflow(limit);
      else chunks[name].push(chunk);
    });
  }
  if (request.stdin !== undefined) {
    // A program that ends without reading its input is judged by its exit code, not by EPIPE.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(request.stdin);
  }
  return collected;
}
