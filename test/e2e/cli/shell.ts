import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { removeFolder, tempDir } from "../../../src/testing/temp.ts";
import { killAll } from "../../support/kill-all.ts";
import { pathWithoutAgents } from "../../support/path.ts";
import { replayDifferences } from "../../support/replay.ts";
import { until } from "../../support/until.ts";
import { typeInHost } from "./command-host.ts";
import { expectNothingStray, expectQuietDaemons } from "./stderr.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const main = join(root, "dist/cli/ao.cjs");
export const daemonEntry = join(root, "dist/app/daemon.js");

/** What a person sees of a command. */
export interface Typed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface TypeOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** A person's shell: a folder, an environment, and `ao`. */
export interface Shell {
  readonly env: Readonly<Record<string, string>>;
  /** Types `ao ...`, whether or not it succeeds. */
  ao(...args: string[]): Promise<Typed>;
  /** The same with something on stdin, in another folder or environment. */
  aoWith(options: TypeOptions, ...args: string[]): Promise<Typed>;
  /** Types `ao ...`, which must succeed; returns its output. */
  ok(...args: string[]): Promise<string>;
  /** Types `ao ... --json` and returns the printed object. */
  json<T>(...args: string[]): Promise<T>;
}

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], options: TypeOptions): Promise<Typed> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: "pipe" });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    // A program that does not read its input does not fail the test.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ code, out: Buffer.concat(out).toString("utf8"), err: Buffer.concat(err).toString("utf8") }),
    );
  });
}

/**
 * A shell in a folder. With `program`, the command line in front of the arguments of `ao`, each command is a process of its own; without it
 * commands share one where that makes no difference.
 */
export function openShell(
  cwd: string,
  env: Readonly<Record<string, string>>,
  program?: readonly [string, ...string[]],
): Shell {
  const [file, ...first] = program ?? [process.execPath, main];
  const aoWith: Shell["aoWith"] = async ({ env: more, input = "", cwd: folder = cwd }, ...args) => {
    const options = { cwd: folder, env: { ...env, ...more }, input };
    const shared = program === undefined ? typeInHost({ args, ...options }) : null;
    const typed = await (shared ?? run(file, [...first, ...args], options));
    expectNothingStray(`ao ${args.join(" ").slice(0, 200)}`, typed.err);
    return typed;
  };
  const ok: Shell["ok"] = async (...args) => {
    const typed = await aoWith({}, ...args);
    expect(typed.code, `ao ${args.join(" ").slice(0, 200)}\n${typed.err}${typed.out}`).toBe(0);
    return typed.out;
  };
  return {
    env,
    ao: (...args) => aoWith({}, ...args),
    aoWith,
    ok,
    json: async (...args) => JSON.parse(await ok(...args, "--json")),
  };
}

/** The environment of a person who has nothing but a home: no git identity, no configuration. */
export function plainEnvironment(userHome: string): Record<string, string> {
  return {
    PATH: pathWithoutAgents(),
    HOME: userHome,
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: process.env["GIT_CEILING_DIRECTORIES"] ?? "",
    AO_HOME: join(userHome, ".agent-orchestrator"),
    AO_PORT: "0",
  };
}

/** A home and a folder below one temporary folder; at the end every process of this AO_HOME ends and the log must replay. */
export function makePlace(options: { readonly aoHome?: string } = {}): {
  readonly dir: string;
  readonly aoHome: string;
  readonly env: Record<string, string>;
} {
  const dir = tempDir("ao-cli-");
  const userHome = join(dir, "home");
  mkdirSync(userHome, { recursive: true });
  const env = plainEnvironment(userHome);
  const aoHome = options.aoHome ?? (env["AO_HOME"] as string);
  env["AO_HOME"] = aoHome;
  onTestFinished(async () => {
    await endEverything(aoHome);
    const database = join(aoHome, "ao.db");
    const differences = existsSync(database) ? await replayDifferences(database) : [];
    expectQuietDaemons(aoHome);
    removeFolder(dir);
    expect(differences).toEqual([]);
  });
  return { dir, aoHome, env };
}

/** Kills the daemon, agents and terminals of an AO_HOME and waits until they are gone. */
export async function endEverything(aoHome: string): Promise<void> {
  await until("every process of the test to end", () => {
    const pids = processesIn(aoHome);
    killAll(pids);
    return pids.length === 0;
  });
}

/** Live processes whose environment names this AO_HOME. */
export function processesIn(aoHome: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAliveIn(pid, aoHome));
}

function isAliveIn(pid: number, aoHome: string): boolean {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
    if (!environ.includes(aoHome) || !environ.split("\0").includes(`AO_HOME=${aoHome}`)) return false;
    return !/ Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/\(.*\)/s, ""));
  } catch {
    return false;
  }
}
