import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AoError } from "../core/errors.ts";

/** The repository that the agent works in. */
export interface Repository {
  readonly cwd: string;
  readonly gitDir: string;
  /** Empty when HEAD is on no branch. */
  readonly branch: string;
}

const TRIES = 20;
const PAUSE_MS = 250;

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Finds the repository of a folder. */
export async function findRepository(cwd: string): Promise<Repository> {
  const found = await git(cwd, "rev-parse", "--absolute-git-dir");
  if (found.code !== 0) {
    throw new AoError({
      code: "not-a-repository",
      message: `${cwd} is not in a git repository: ${found.stderr.trim()}`,
      hint: "The rehearsal agent works in a checkout.",
    });
  }
  const branch = await git(cwd, "symbolic-ref", "--quiet", "--short", "HEAD");
  return { cwd, gitDir: found.stdout.trimEnd(), branch: branch.stdout.trim() };
}

/** Commits everything once: skips it if a commit already carries this step. */
export async function commitAll(
  repository: Repository,
  commit: { readonly message: string; readonly step: string; readonly isRepetition: boolean },
): Promise<"committed" | "nothing to commit" | "was committed"> {
  for (let left = TRIES; ; left -= 1) {
    if (commit.isRepetition && (await hasStep(repository.cwd, commit.step))) return "was committed";
    const said = await tryCommit(repository, commit);
    if (said === null) return "nothing to commit";
    if (said.code === 0) return "committed";
    // A git process of a killed rehearsal may still be running, and others may hold the index for a moment.
    const isBusy = commit.isRepetition || existsSync(join(repository.gitDir, "index.lock"));
    if (!isBusy || left <= 1) throw new Error(`git: ${said.stderr.trim() || said.stdout.trim()}`);
    await pause(PAUSE_MS);
  }
}

async function tryCommit(
  { cwd, gitDir }: Repository,
  commit: { readonly message: string; readonly step: string },
): Promise<Said | null> {
  const added = await git(cwd, "add", "--all");
  if (added.code !== 0) return added;
  // A merge is concluded even if the branch's own side was kept throughout.
  const isMerging = existsSync(join(gitDir, "MERGE_HEAD"));
  if (!isMerging && (await git(cwd, "diff", "--cached", "--quiet")).code === 0) return null;
  return git(cwd, "commit", "--quiet", "--message", commit.message, "--message", `Rehearsal-Step: ${commit.step}`);
}

async function hasStep(cwd: string, step: string): Promise<boolean> {
  const pattern = `^Rehearsal-Step: ${step.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
  const found = await git(cwd, "log", "--max-count=1", "--format=%H", "--extended-regexp", `--grep=${pattern}`);
  return found.stdout.trim() !== "";
}

function git(cwd: string, ...args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    execFile("git", args, { cwd, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
      resolve({ code, stdout, stderr: error !== null && stderr === "" ? error.message : stderr });
    });
  });
}
