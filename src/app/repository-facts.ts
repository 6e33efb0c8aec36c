import { AoError } from "../core/errors.ts";
import { shellWord } from "../core/shell-word.ts";
import { withoutCredentials } from "../core/without-credentials.ts";
import { ExecError } from "../platform/exec-error.ts";
import type { Host } from "../ports/host.ts";
import { createGit, EVERY_CODE } from "../providers/git/git.ts";

export interface RepositoryFacts {
  /** Root of the main checkout. */
  readonly root: string;
  readonly defaultBranch: string;
  readonly remote: string | null;
}

const OLDEST_GIT = [2, 25] as const;

/** Git's facts about a folder; each reason why it cannot be used has its own sentence. */
export async function readRepository(host: Host, path: string, defaultBranch: string | null): Promise<RepositoryFacts> {
  await requireGit(host);
  const root = await git(host, path, ["rev-parse", "--show-toplevel"]);
  if (root === null) throw await explainNone(host, path);
  if ((await git(host, root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])) === null) {
    throw new AoError({
      code: "no-commits",
      message: `${root} has no commits yet, so there is nothing to branch from.`,
      hint: "Make a first commit: `git commit --allow-empty -m start`.",
    });
  }
  const main = await mainCheckout(host, root);
  const branch = defaultBranch ?? (await detectBranch(host, main));
  if (branch === null) {
    throw new AoError({
      code: "detached-head",
      message: `${main} is on no branch (detached HEAD), and no defaultBranch is configured.`,
      hint: "Check out a branch, or set `projects.<id>.defaultBranch` in agent-orchestrator.yaml.",
    });
  }
  const remote = await git(host, main, ["remote", "get-url", "origin"]);
  // Everybody who may read projects sees the address; git itself finds the remote by its name.
  return { root: main, defaultBranch: branch, remote: remote === null ? null : withoutCredentials(remote) };
}

async function explainNone(host: Host, path: string): Promise<AoError> {
  const args = ["rev-parse", "--is-bare-repository"];
  const { stdout, stderr } = await createGit(host)({ cwd: path, args, discover: true, okCodes: EVERY_CODE });
  const code = "not-a-repository";
  if (stderr.includes("dubious ownership")) {
    const hint = `If you trust it: \`git config --global --add safe.directory ${shellWord(path)}\``;
    return new AoError({ code, message: `${path} belongs to another user, so git does not use it.`, hint });
  }
  if (stdout.trim() === "true") {
    const hint = "Clone it, and give the path of the clone.";
    return new AoError({ code, message: `${path} is a bare repository, which ao cannot work in.`, hint });
  }
  const hint = "Run `git init` there and commit something, or give the path of a repository.";
  return new AoError({ code, message: `${path} is not a git repository.`, hint });
}

/** The main checkout of the repository around a folder, or null. */
export async function repositoryAt(host: Host, folder: string): Promise<string | null> {
  const root = await git(host, folder, ["rev-parse", "--show-toplevel"]);
  if (root === null) return null;
  // A submodule belongs to its parent repository.
  return (await mainCheckout(host, root)).replace(/\/\.git\/modules\/.*$/, "");
}

/** Rejects a path that is not a folder. */
export async function requireFolder(host: Host, path: string): Promise<void> {
  if (/[\r\n]/.test(path)) {
    const message = `${JSON.stringify(path)} has a line break in its name, which git cannot keep in the files of its worktrees.`;
    throw new AoError({ code: "not-a-repository", message, hint: "Rename the folder." });
  }
  const real = await host.fs.realPath(path);
  const kind = real === null ? null : (await host.fs.stat(real))?.kind;
  if (kind === "directory") return;
  const message = kind === null ? `The folder ${path} does not exist.` : `${path} is not a folder.`;
  throw new AoError({ code: "not-a-repository", message, hint: "Give the path of a repository." });
}

/** Throws if git is missing or too old. */
export async function requireGit(host: Host): Promise<string> {
  const version = await host.exec({ program: "git", args: ["--version"] }).catch((cause: unknown) => {
    throw new AoError({
      code: "program-missing",
      message: "git was not found.",
      hint: "Install git 2.38 or newer.",
      cause,
    });
  });
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version.stdout)?.slice(1) ?? []).map(Number);
  if (major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1])) {
    throw new AoError({
      code: "git-too-old",
      message: `git ${major}.${minor} is too old.`,
      hint: `Install git ${OLDEST_GIT.join(".")} or newer.`,
    });
  }
  return `${major}.${minor}`;
}

// A linked worktree belongs to a repository; sessions use its main checkout.
async function mainCheckout(host: Host, root: string): Promise<string> {
  const listed = await git(host, root, ["worktree", "list", "--porcelain"]);
  const first = /^worktree (.+)$/m.exec(listed ?? "")?.[1];
  return first ?? root;
}

async function detectBranch(host: Host, root: string): Promise<string | null> {
  const current = await git(host, root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const remote = await git(host, root, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
  return remote === null ? current : remote.replace(/^origin\//, "");
}

async function git(host: Host, cwd: string, args: readonly string[]): Promise<string | null> {
  try {
    const result = await createGit(host)({ cwd, args, discover: true, okCodes: EVERY_CODE });
    return result.code === 0 ? result.stdout.trim() : null;
  } catch (error) {
    if (error instanceof ExecError && error.facts.reason === "spawn" && (await host.fs.stat(cwd)) === null) {
      throw new AoError({ code: "not-found", message: `The folder ${cwd} does not exist.`, hint: "Check the path." });
    }
    throw error;
  }
}
