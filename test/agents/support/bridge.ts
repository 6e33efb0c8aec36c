import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { encodeMessage, type LinesMessage } from "../../../src/core/lines-protocol.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { diskFolder, tempDir } from "../../../src/testing/temp.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

const main = fileURLToPath(new URL("../../../dist/bridge/main.js", import.meta.url));

/** A repository with a linked worktree, and a home of its own. */
export interface Place {
  readonly repo: string;
  readonly workspace: string;
  readonly home: string;
}

/** Creates a place as `ao` would for a session. */
export function makePlace(): Place {
  // Codex runs in its own sandbox, where /dev/shm is empty.
  const dir = tempDir("ao-agent-", diskFolder());
  const repo = makeRepo(join(dir, "repo"));
  const workspace = join(dir, "workspace");
  git(repo, "worktree", "add", "-q", "-b", "agent/x", workspace);
  for (const name of ["home", "tmp"]) mkdirSync(join(dir, name));
  return { repo, workspace, home: join(dir, "home") };
}

export interface RunningBridge extends Transcript {
  send(message: Partial<LinesMessage> & Pick<LinesMessage, "id" | "kind">): void;
  sendLine(line: string): void;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Closes its input and waits until it ends. */
  end(): Promise<BridgeEnd>;
  readonly over: Promise<BridgeEnd>;
}

export interface BridgeEnd {
  readonly code: number | null;
  readonly stderr: string;
}

/** Starts the bridge in a place, with its own small environment. */
export function startBridge(
  place: Place,
  driver: string,
  settings: unknown,
  env: Readonly<Record<string, string>> = {},
): RunningBridge & { readonly child: ChildProcess } {
  const [program = "", ...args] = bridgeCommand(driver, settings);
  const child = spawn(program, args, { cwd: place.workspace, env: cleanEnvironment(place, env) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { transcript, take, finish } = createTranscript();
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  child.stdin.on("error", () => undefined);
  const over = new Promise<BridgeEnd>((resolve) => {
    child.on("close", (code) => {
      finish(stderr);
      resolve({ code, stderr });
    });
  });
  return {
    ...transcript,
    child,
    over,
    send: (message) => void child.stdin.write(encodeMessage({ text: "", attempt: 1, ...message })),
    sendLine: (line) => void child.stdin.write(`${line}\n`),
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

/** The bridge's program and arguments. */
export function bridgeCommand(driver: string, settings: unknown): readonly string[] {
  return [process.execPath, main, driver, JSON.stringify(settings)];
}

/** The small environment of a bridge. */
export function cleanEnvironment(place: Place, env: Readonly<Record<string, string>>): Record<string, string> {
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
