import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { LoopFleet } from "../support/loop.ts";
import { findVictims, strike } from "./loop-strike.ts";

const run = promisify(execFile);
const cli = fileURLToPath(new URL("../../dist/cli/ao.cjs", import.meta.url));
const HOUR_MS = 3_600_000;
/** The file system of an AO_HOME that can be filled. */
const DISK = "size=40m";
const MIB = 1024 * 1024;

export const HARDSHIPS = [
  "clock-ahead",
  "clock-back",
  "freeze-daemon",
  "freeze-agent",
  "prune",
  "gc",
  "full-disk",
  "kill-agent",
] as const;
export type Hardship = (typeof HARDSHIPS)[number];

/** What hardships share in one round. */
export interface Stage {
  readonly fleet: LoopFleet;
  /** The file that says how wrong the daemon's clock is. */
  readonly skew: string;
  readonly random: () => number;
  skewMs: number;
  /** How long the daemon was frozen so far: no answer comes in that time. */
  frozenMs: number;
  /** Waits that were longer than they may be. */
  readonly waits: string[];
  /** The longest that something is frozen or full, and how often somebody asks a frozen daemon. */
  readonly holdMs: number;
  readonly asking: number;
  /** Git removes what nothing refers to when it is older than this. */
  readonly pruneAge: string;
}

/** How long a caller may wait for an answer, even on a busy machine. */
export const ANSWER_MS = 30_000;

/** Causes one hardship for the daemon and ends it; a clock stays wrong until the next jump. */
export async function impose(stage: Stage, kind: Hardship): Promise<void> {
  const { fleet, random } = stage;
  if (kind === "clock-ahead") setClock(stage, stage.skewMs + random() * 3 * HOUR_MS);
  if (kind === "clock-back") setClock(stage, stage.skewMs - random() * 3 * HOUR_MS);
  if (kind === "freeze-daemon") await freezeDaemon(stage);
  if (kind === "freeze-agent") await freezeAgent(stage);
  if (kind === "prune") await userGit(fleet, ["worktree", "prune"]);
  if (kind === "gc") await userGit(fleet, ["gc", "--quiet", `--prune=${stage.pruneAge}`]);
  if (kind === "full-disk") await fillDisk(fleet, random() * 2 * MIB, () => hold(stage));
  if (kind === "kill-agent") await strike(fleet, "agent", random);
}

/** Durations are random. */
function hold({ random, holdMs }: Stage): Promise<void> {
  return pause((0.2 + 0.8 * random()) * holdMs);
}

async function userGit({ repo }: LoopFleet, args: readonly string[]): Promise<void> {
  // It refuses to run twice at the same time.
  await run("git", ["-C", repo, ...args]).catch(() => undefined);
}

function setClock(stage: Stage, skewMs: number): void {
  stage.skewMs = Math.round(skewMs);
  writeFileSync(stage.skew, String(stage.skewMs));
}

async function freezeDaemon(stage: Stage): Promise<void> {
  const { fleet, random } = stage;
  const since = Date.now();
  if (!fleet.isUp() || !signal(fleet.daemonPid(), "SIGSTOP")) return;
  const asked = Date.now();
  // A caller must not wait until it runs again.
  await Promise.all([hold(stage), random() < stage.asking ? askInVain(stage) : null]);
  if (Date.now() - asked > ANSWER_MS) stage.waits.push(`ao list took ${Date.now() - asked} ms with a frozen daemon`);
  signal(fleet.daemonPid(), "SIGCONT");
  stage.frozenMs += Date.now() - since;
}

async function askInVain({ fleet }: Stage): Promise<void> {
  const env = { ...process.env, AO_HOME: fleet.home };
  await run(process.execPath, [cli, "list"], { env, timeout: 2 * ANSWER_MS }).catch(() => undefined);
}

async function freezeAgent(stage: Stage): Promise<void> {
  const { fleet, random } = stage;
  const agents = findVictims(fleet, "agent");
  const pid = agents[Math.floor(random() * agents.length)];
  if (pid === undefined || !signal(pid, "SIGSTOP")) return;
  await hold(stage);
  signal(pid, "SIGCONT");
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Puts the fleet's AO_HOME on a small file system of its own; false: this user may not mount one. */
export function mountHome({ home }: LoopFleet): boolean {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `${DISK},mode=700`, "tmpfs", home]).status === 0;
}

/** Moves AO_HOME back to the folder's own file system, for later checks. */
export function unmountHome({ dir, home }: LoopFleet): void {
  const copy = join(dir, "home-copy");
  cpSync(home, copy, { recursive: true, filter: (path) => !/\.sock$|\/bell$/.test(path) });
  spawnSync("umount", ["-l", home]);
  rmSync(home, { recursive: true, force: true });
  renameSync(copy, home);
}

/** Leaves this many bytes of AO_HOME's file system free during the task. */
export async function fillDisk({ home }: LoopFleet, leave: number, task: () => Promise<unknown>): Promise<void> {
  const ballast = join(home, "ballast");
  try {
    const { bavail, bsize } = statfsSync(home);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leave)));
  } catch {
    // Others used up the rest: then it is full.
  }
  await task();
  rmSync(ballast, { force: true });
}
