import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Without the configuration of whoever runs the tests; the server commits under its own name. */
const ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Forge",
  GIT_AUTHOR_EMAIL: "noreply@forge.example",
  GIT_COMMITTER_NAME: "Forge",
  GIT_COMMITTER_EMAIL: "noreply@forge.example",
};

/** Runs git in a bare repository and returns its output, without the last line break. */
export async function git(gitDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run("git", [...args], {
    cwd: gitDir,
    env: { ...process.env, ...ENV, GIT_DIR: gitDir, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.replace(/\n$/, "");
}

/** The commit of a ref, read from its file without a process; null: no such ref. */
export function readRef(gitDir: string, ref: string): string | null {
  const loose = join(gitDir, ref);
  if (existsSync(loose)) return readFileSync(loose, "utf8").trim();
  const packed = join(gitDir, "packed-refs");
  if (!existsSync(packed)) return null;
  const line = readFileSync(packed, "utf8")
    .split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ")[0] ?? null;
}

export function readBranch(gitDir: string, branch: string): string | null {
  return readRef(gitDir, `refs/heads/${branch}`);
}

export async function isAncestor(gitDir: string, ancestor: string, commit: string): Promise<boolean> {
  return git(gitDir, ["merge-base", "--is-ancestor", ancestor, commit]).then(
    () => true,
    () => false,
  );
}

/** The tree of a merge of two commits; null: they conflict. */
export async function mergeTree(gitDir: string, base: string, head: string): Promise<string | null> {
  const options = ["merge-tree", "--write-tree", "--no-messages", base, head];
  return git(gitDir, options).then(
    (printed) => printed.split("\n")[0] ?? null,
    (error: { readonly code?: unknown }) => {
      if (error.code === 1) return null;
      throw error;
    },
  );
}

/** Commits between the base and the head, oldest first. */
export async function commitsOf(gitDir: string, base: string, head: string): Promise<readonly string[]> {
  const printed = await git(gitDir, ["rev-list", "--reverse", `${base}..${head}`]);
  return printed === "" ? [] : printed.split("\n");
}

export interface FileChange {
  readonly path: string;
  readonly status: "added" | "removed" | "modified";
  readonly additions: number;
  readonly deletions: number;
}

/** What the head changes since it left the base. */
export async function changedFiles(gitDir: string, base: string, head: string): Promise<readonly FileChange[]> {
  const range = `${base}...${head}`;
  const [numbers, names] = await Promise.all([
    git(gitDir, ["diff", "--no-renames", "--numstat", range]),
    git(gitDir, ["diff", "--no-renames", "--name-status", range]),
  ]);
  if (numbers === "") return [];
  const kinds = new Map(names.split("\n").map((line) => [line.slice(2), line[0]]));
  return numbers.split("\n").map((line) => {
    const [added = "0", deleted = "0", path = ""] = line.split("\t");
    const kind = kinds.get(path);
    const status = kind === "A" ? "added" : kind === "D" ? "removed" : "modified";
    return { path, status, additions: Number(added) || 0, deletions: Number(deleted) || 0 };
  });
}

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author?: readonly string[];
}

/** Writes a commit; `author` is name, email and date; default: the server itself. */
export async function commitTree(gitDir: string, { tree, parents, message, author }: NewCommit): Promise<string> {
  const [name = "", email = "", date = ""] = author ?? [];
  const env = author === undefined ? {} : { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  const options = parents.flatMap((parent) => ["-p", parent]);
  return git(gitDir, ["commit-tree", tree, ...options, "-m", message], env as Record<string, string>);
}

/** Replays each commit on the base; null: one of them conflicts. */
export async function rebase(gitDir: string, base: string, head: string): Promise<string | null> {
  let onto = base;
  for (const commit of await commitsOf(gitDir, base, head)) {
    // A side whose parent is the commit's parent: the merge then applies only this commit.
    const side = await commitTree(gitDir, { tree: `${onto}^{tree}`, parents: [`${commit}^`], message: "side" });
    const tree = await mergeTree(gitDir, side, commit);
    if (tree === null) return null;
    const message = await git(gitDir, ["log", "-1", "--format=%B", commit]);
    const author = (await git(gitDir, ["log", "-1", "--format=%an%x00%ae%x00%aI", commit])).split("\0");
    onto = await commitTree(gitDir, { tree, parents: [onto], message, author });
  }
  return onto;
}

const merges = new Map<string, boolean>();

/** Would the head merge into the base? Runs git once per pair. */
export async function canMerge(gitDir: string, base: string, head: string): Promise<boolean> {
  const key = `${gitDir} ${base} ${head}`;
  const before = merges.get(key);
  if (before !== undefined) return before;
  const answer = (await mergeTree(gitDir, base, head)) !== null;
  merges.set(key, answer);
  return answer;
}

/** An empty bare repository that accepts pushes; written by hand, so that tests without git start no process. */
export function writeBareRepository(gitDir: string): void {
  for (const part of ["objects", "refs/heads", "refs/tags"]) mkdirSync(join(gitDir, part), { recursive: true });
  writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/main\n");
  const config =
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n[http]\n\treceivepack = true\n";
  writeFileSync(join(gitDir, "config"), config);
}
