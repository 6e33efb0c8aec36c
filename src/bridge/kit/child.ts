import { spawn } from "node:child_process";

/** The vendor's program as a child of the bridge. */
export interface Child {
  readonly pid: number | undefined;
  /** Writes a line to its standard input; ignored if the child is gone. */
  send(line: string): void;
  /** How it ended, after all its output was read. */
  readonly ended: Promise<ChildEnd>;
  /** Asks it to end, and kills it after the grace period. Never rejects. */
  end(graceMs: number): Promise<void>;
}

export interface ChildEnd {
  /** In a few words: `exit code 1`, `ended by SIGKILL`, `could not be started: ...`. */
  readonly how: string;
  readonly code: number | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

export interface ChildSpec {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All of its standard input; absent: the input stays open for lines. */
  readonly input?: string;
  onLine(line: string): void;
}

/** A one-megabyte message comes back escaped and quoted. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const MAX_STDERR = 8 * 1024;
/** Its children may hold its output open. */
const LINGER_MS = 500;

/**
 * Starts a program with pipes, in the bridge's own process group: ending the group ends it too, even if the bridge was
 * killed.
 */
export function startChild(spec: ChildSpec): Child {
  const child = spawn(spec.program, [...spec.args], {
    cwd: spec.cwd,
    env: { ...spec.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stdout.on("data", createLineSplitter(MAX_LINE_BYTES, spec.onLine));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString("utf8")}`.slice(-MAX_STDERR);
  });
  // Its end is reported separately.
  child.stdin.on("error", () => undefined);
  if (spec.input !== undefined) child.stdin.end(spec.input);
  const ended = new Promise<ChildEnd>((resolve) => {
    child.on("error", (error) => resolve({ how: `could not be started: ${error.message}`, code: null, stderr }));
    child.on("exit", () => {
      setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), LINGER_MS).unref();
    });
    child.on("close", (code, signal) => {
      resolve({ how: signal === null ? `exit code ${code}` : `ended by ${signal}`, code, stderr: stderr.trim() });
    });
  });
  return {
    pid: child.pid,
    send: (line) => void child.stdin.write(`${line}\n`),
    ended,
    end: async (graceMs) => {
      child.stdin.end();
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

const NEWLINE = 10;

/** Splits a stream of bytes into lines. Drops lines above the limit, so that memory stays bounded. */
export function createLineSplitter(maxBytes: number, onLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      const line = size <= maxBytes ? Buffer.concat(parts).toString("utf8") : null;
      parts = [];
      size = 0;
      from = end + 1;
      if (line !== null) onLine(line);
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
