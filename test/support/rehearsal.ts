import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { AgentSignal } from "../../src/core/agent-signal.ts";
import { decodeSignal, encodeMessage, type LinesMessage } from "../../src/core/lines-protocol.ts";
import { makeRepo } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const rehearsalProgram = join(root, "dist/rehearsal/main.js");
export const faultyRehearsal = join(root, "test/fixtures/faulty-rehearsal.mjs");

/** A repository and a script beside it. */
export interface Place {
  readonly repo: string;
  readonly script: string;
}

/** Makes a repository and writes a script, from its text or its data. */
export function makePlace(script: unknown, files?: Readonly<Record<string, string>>): Place {
  const dir = tempDir("ao-rehearsal-");
  const path = join(dir, "script.yaml");
  writeFileSync(path, typeof script === "string" ? script : stringify(script));
  return { repo: makeRepo(join(dir, "repo"), files), script: path };
}

/** The same again, which is faster than creating another. */
export function copyPlace(place: Place): Place {
  const dir = tempDir("ao-rehearsal-");
  cpSync(dirname(place.script), dir, { recursive: true });
  return { repo: join(dir, basename(place.repo)), script: join(dir, basename(place.script)) };
}

/** One process of the agent. */
export interface Rehearsal {
  readonly child: ChildProcess;
  /** Every line so far. */
  readonly lines: readonly string[];
  send(message: Partial<LinesMessage> & Pick<LinesMessage, "id" | "kind">): void;
  /** The next signal of this kind; null if the process ends first. */
  hear<K extends AgentSignal["kind"]>(kind: K): Promise<Extract<AgentSignal, { kind: K }> | null>;
  /** Closes its input and waits until it ends. */
  end(): Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>;
  readonly over: Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>;
}

/** Starts the agent in a repository. */
export function startRehearsal(
  place: Place,
  options: { readonly env?: Readonly<Record<string, string>>; readonly entry?: string } = {},
): Rehearsal {
  const child = spawn(process.execPath, [options.entry ?? rehearsalProgram, place.script], {
    cwd: place.repo,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", ...options.env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const heard = new Set<number>();
  let rest = "";
  let stderr = "";
  let isOver = false;
  const waiters: (() => void)[] = [];
  const wake = (): void => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString("utf8")}`.split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    wake();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  // An ended process takes no more input; its exit shows why.
  child.stdin.on("error", () => undefined);
  const over = new Promise<Awaited<Rehearsal["over"]>>((resolve) => {
    child.on("close", (code, signal) => {
      isOver = true;
      wake();
      resolve({ code, signal, stderr });
    });
  });
  return {
    child,
    lines,
    over,
    send: (message) => void child.stdin.write(encodeMessage({ text: "", attempt: 1, ...message })),
    hear: async <K extends AgentSignal["kind"]>(kind: K) => {
      for (;;) {
        const index = lines.findIndex((line, at) => !heard.has(at) && decodeSignal(line)?.kind === kind);
        if (index >= 0) {
          heard.add(index);
          return decodeSignal(lines[index] as string) as Extract<AgentSignal, { kind: K }>;
        }
        if (isOver) return null;
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    end: () => {
      child.stdin.end();
      return over;
    },
  };
}
