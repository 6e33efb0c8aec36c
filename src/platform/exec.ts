import { type ChildProcess, spawn } from "node:child_process";
import type { ExecRequest, ExecResult } from "../ports/host.ts";
import { ExecError, type ExecReason } from "./exec-error.ts";
import { currentIntent } from "./intent-context.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

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
    // The first reason wins: a kill after a timeout also looks like an exit by signal.
    let reason: ExecReason | null = null;
    let detail = "";
    const stop = (why: ExecReason, text: string): void => {
      if (reason !== null) return;
      reason = why;
      detail = text;
      killGroup(child);
    };
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timer = setTimeout(() => stop("timeout", `${timeoutMs / 1000} s`), timeoutMs);
    collected.onOverflow = (limit) => stop("output-limit", `${limit} bytes`);
    const onAbort = (): void => stop("aborted", "");
    request.signal?.addEventListener("abort", onAbort, { once: true });
    if (request.signal?.aborted) onAbort();

    const fail = (why: ExecReason, text: string, code: number | null, signal: string | null, cause?: unknown): void =>
      reject(
        new ExecError(
          {
            program: request.program,
            args: request.args,
            cwd: request.cwd,
            reason: why,
            code,
            signal,
            stderrTail: collected.stderr().slice(-4000),
            detail: text,
          },
          cause,
        ),
      );
    const finish = (): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
    };
    child.once("error", (error) => {
      finish();
      if (child.pid === undefined) fail("spawn", spawnDetail(error, request), null, null, error);
    });
    child.once("close", (code, signal) => {
      finish();
      if (child.pid === undefined) return;
      if (reason !== null) return fail(reason, detail, code, signal);
      if (code === null || !(request.okCodes ?? [0]).includes(code)) return fail("exit", "", code, signal);
      resolve({ code, stdout: collected.stdout(), stderr: collected.stderr() });
    });
  });
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
  stdout(): string;
  stderr(): string;
}

function collect(child: ChildProcess, request: ExecRequest): Collected {
  const limit = request.maxOutputBytes ?? DEFAULT_MAX_BYTES;
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  const sizes = { stdout: 0, stderr: 0 };
  const collected: Collected = {
    onOverflow: () => undefined,
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
