import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { shortHash } from "../../src/core/hash.ts";
import { git } from "../../src/testing/git-repo.ts";

export interface Premises {
  /** The folder that holds everything of the fleet. */
  readonly dir: string;
  readonly repo: string;
  readonly home: string;
  readonly tmp: string;
  /** Branches that may be left. */
  readonly branches: readonly string[];
  /** Processes that may live: the daemon. */
  readonly spared: readonly number[];
}

/** What is left over at the end: processes, folders, locks, branches; whether the repository is sound and no effect was missed. */
export function judgeLeftovers(premises: Premises): readonly string[] {
  return [...judgeProcesses(premises), ...judgeFolders(premises), ...judgeRepository(premises), ...judgeLog(premises)];
}

function judgeLog({ home }: Premises): readonly string[] {
  const path = join(home, "logs", "daemon.log");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.filter((line) => line.includes("effects were waiting although they could start"));
}

function judgeProcesses(premises: Premises): readonly string[] {
  return listOrphans(premises.dir, premises.home)
    .filter(({ pid }) => !premises.spared.includes(pid))
    .map(({ pid, command }) => `process ${pid} is left: ${command}`);
}

interface Orphan {
  readonly pid: number;
  readonly command: string;
}

/** Live processes that belong to a fleet by their environment, their folder or their command line. */
export function listOrphans(dir: string, home: string): readonly Orphan[] {
  const mark = `@${shortHash(home)}`;
  return listPids().flatMap((pid) => {
    try {
      if (isZombie(pid) || pid === process.pid) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const environ = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const isOurs =
        environ.includes(`AO_HOME=${home}`) ||
        environ.some((entry) => entry.startsWith("AO_INTENT=") && entry.endsWith(mark)) ||
        readlinkSync(`/proc/${pid}/cwd`).startsWith(dir) ||
        command.includes(dir);
      return isOurs ? [{ pid, command }] : [];
    } catch {
      // It ended during the check.
      return [];
    }
  });
}

/** A variable of a process; null: it has none, or is gone. */
export function variableOf(pid: number, name: string): string | null {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  } catch {
    return null;
  }
}

function listPids(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isZombie(pid: number): boolean {
  return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/\(.*\)/, ""));
}

function judgeFolders({ repo, home, tmp }: Premises): readonly string[] {
  const trees = listBelow(join(home, "checks")).filter((path) => /\/tree$/.test(path));
  const halfMade = listBelow(join(home, "cache")).filter((path) => /\.(tmp|new|part)\b|\/\.[^/]*$/.test(path));
  const inGit = readdirSync(join(repo, ".git")).filter((name) => /\.lock$|^ao-/.test(name));
  return [
    ...trees.map((path) => `a checkout of a check is left: ${path}`),
    ...halfMade.map((path) => `half-made: ${path}`),
    ...listNames(join(repo, ".worktrees")).map((name) => `.worktrees/${name} is left`),
    ...listNames(join(repo, ".git/worktrees")).map((name) => `.git/worktrees/${name} is left`),
    ...listNames(tmp).map((name) => `${name} is left in the folder for temporary files`),
    ...inGit.map((name) => `.git/${name} is left`),
  ];
}

function listNames(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

function listBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name));
}

function judgeRepository({ repo, branches }: Premises): readonly string[] {
  const faults: string[] = [];
  const refs = git(repo, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n");
  const surplus = refs.filter((ref) => ref !== "main" && !branches.includes(ref));
  faults.push(...surplus.map((ref) => `the branch ${ref} is left`));
  const status = git(repo, "status", "--porcelain");
  if (status !== "") faults.push(`the user's checkout is not clean: ${status}`);
  if (git(repo, "symbolic-ref", "HEAD").trim() !== "refs/heads/main") faults.push("the user's checkout left main");
  try {
    git(repo, "fsck", "--full", "--strict");
  } catch (error) {
    faults.push(`git fsck: ${String((error as { stderr?: unknown }).stderr ?? error)}`);
  }
  return faults;
}
