import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { encodeMessage, type LinesMessage } from "../../../src/core/lines-protocol.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { tempDir } from "../../../src/testing/temp.ts";

const program = fileURLToPath(new URL("../../../dist/bridge/main.js", import.meta.url));

/** A repository with a linked worktree, and a home of its own. */
export interface Place {
  readonly repo: string;
  readonly workspace: string;
  readonly home: string;
}

/** Makes a place as `ao` would for a session. */
export function makePlace(): Place {
  const dir = tempDir("ao-agent-");
  const repo = makeRepo(join(dir, "repo"));
  const workspace = join(dir, "workspace");
  git(repo, "worktree", "add", "-q", "-b", "agent/x", workspace);
  for (const name of ["home", "tmp"]) mkdirSync(join(dir, name));
  return { repo, workspace, home: join(dir, "home") };
}

/** A line of the bridge that is not plain output. */
export type Said = Readonly<Record<string, unknown>> & { readonly type: string };

export interface RunningBridge {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  said(): readonly Said[];
  send(message: Partial<LinesMessage> & Pick<LinesMessage, "id" | "kind">): void;
  sendLine(line: string): void;
  /** The n-th (default first) line with these fields, now or later; fails when the process ends before. */
  hear(fields: Readonly<Record<string, unknown>>, n?: number): Promise<Said>;
  /** A line, plain or not, that begins so. */
  see(start: string): Promise<void>;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Ends its input and waits for its end. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string }>;
  readonly over: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Starts the bridge in a place, with a small environment of its own. */
export function startBridge(
  place: Place,
  driver: string,
  settings: unknown,
  env: Readonly<Record<string, string>> = {},
): RunningBridge {
  const child = spawn(process.execPath, [program, driver, JSON.stringify(settings)], {
    cwd: place.workspace,
    env: cleanEnvironment(place, env),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const waiters: (() => void)[] = [];
  let [rest, stderr, isOver] = ["", "", false];
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
  child.stdin.on("error", () => undefined);
  const over = new Promise<Awaited<RunningBridge["over"]>>((resolve) => {
    child.on("close", (code) => {
      isOver = true;
      wake();
      resolve({ code, stderr });
    });
  });
  const said = (): readonly Said[] =>
    lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Said);
  return {
    child,
    lines,
    said,
    over,
    send: (message) => void child.stdin.write(encodeMessage({ text: "", attempt: 1, ...message })),
    sendLine: (line) => void child.stdin.write(`${line}\n`),
    hear: async (fields, n = 1) => {
      for (;;) {
        const found = said().filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
        if (found[n - 1] !== undefined) return found[n - 1] as Said;
        if (isOver) throw new Error(`it ended before ${JSON.stringify(fields)}: ${lines.join("\n")}\n${stderr}`);
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    see: async (start) => {
      while (!lines.some((line) => line.startsWith(start))) {
        if (isOver) throw new Error(`it ended before ${start}: ${lines.join("\n")}\n${stderr}`);
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    kill: async (signal) => {
      child.kill(signal);
      await over;
    },
    end: () => {
      child.stdin.end();
      return over;
    },
  };
}

function cleanEnvironment(place: Place, env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: place.home,
    TMPDIR: join(place.home, "../tmp"),
    LANG: "C.UTF-8",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...env,
  };
}

/** Live processes of a place: the vendor's program, its tools, and the bridge. */
export function processesOf(place: Place): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const environ = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
        if (!environ.includes(`HOME=${place.home}`)) return [];
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ") }];
      } catch {
        return [];
      }
    });
}
