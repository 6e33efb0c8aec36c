import { splitNul } from "./git.ts";
import type { Tools } from "./tools.ts";

export interface Status {
  /** Null while there is no commit. */
  readonly head: string | null;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Paths with staged changes. */
  readonly staged: readonly string[];
  /** The staged paths that are no longer in the index. */
  readonly stagedDeletions: readonly string[];
  /** Paths that differ between index and work tree. */
  readonly changed: readonly string[];
  /** The changed paths that are no longer in the work tree. */
  readonly deleted: readonly string[];
  readonly untracked: readonly string[];
  readonly intentToAdd: readonly string[];
  readonly unmerged: readonly string[];
  /** Folders that git could not read. */
  readonly unreadable: string | null;
}

/** Git's status of a checkout, listing every file of untracked folders. */
export async function readStatus(
  tools: Tools,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Status> {
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
  const { stdout, stderr } = await tools.git({
    cwd,
    env,
    args: [...args, "--ignore-submodules=dirty", "--no-ahead-behind"],
  });
  return { ...parseStatus(stdout), unreadable: findUnreadable(stderr) };
}

// Git only warns about a folder it cannot open, and its files would silently be missing.
function findUnreadable(stderr: string): string | null {
  const line = stderr.split("\n").find((text) => /could not open directory|Permission denied/.test(text));
  return line === undefined ? null : line.replace(/^warning: /, "");
}

/** Parses the output of `git status --porcelain=v2 --branch -z --no-renames`. */
export function parseStatus(text: string): Omit<Status, "unreadable"> {
  const lines = splitNul(text);
  const header = (name: string): string | null =>
    lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3) ?? null;
  const [head, branch] = [header("branch.oid"), header("branch.head")];
  const tracked = lines
    .filter((line) => line.startsWith("1 "))
    .map((line) => ({ staged: line[2], changed: line[3], path: fieldsFrom(line, 8) }));
  const pathsOf = (entries: typeof tracked): string[] => entries.map((entry) => entry.path);
  return {
    head: head === "(initial)" ? null : head,
    branch: branch === "(detached)" ? null : branch,
    staged: pathsOf(tracked.filter((entry) => entry.staged !== ".")),
    stagedDeletions: pathsOf(tracked.filter((entry) => entry.staged === "D")),
    changed: pathsOf(tracked.filter((entry) => entry.changed !== ".")),
    deleted: pathsOf(tracked.filter((entry) => entry.changed === "D")),
    untracked: lines.filter((line) => line.startsWith("? ")).map((line) => line.slice(2)),
    intentToAdd: pathsOf(tracked.filter((entry) => entry.changed === "A")),
    unmerged: lines.filter((line) => line.startsWith("u ")).map((line) => fieldsFrom(line, 10)),
  };
}

function fieldsFrom(line: string, index: number): string {
  return line.split(" ").slice(index).join(" ");
}
