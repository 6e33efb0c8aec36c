import type { ForkBranch } from "../../../core/change/found-change.ts";
import { PluginError } from "../../../core/errors.ts";
import type { ExecResult } from "../../../ports/host.ts";
import type { PublishAnswer, ScmProject } from "../../../ports/scm.ts";
import { failure } from "../failure.ts";
import type { GitCall } from "../git.ts";
import { holdersOf, listCheckouts } from "./checkout.ts";
import { isBranchName, readHead } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

/** A repository on a forge, as git reaches it. */
export interface RemoteRepository {
  /** What people call the forge: `GitHub`. */
  readonly forge: string;
  /** Its address, without credentials. */
  readonly url: string;
  /** The URL of another repository on the forge. */
  readonly urlOf: (repository: string) => string;
  /** What to do if the token is rejected; absent: run `ao doctor`. */
  readonly refusedHint?: string;
  /** The account that `ao` uses there. */
  readonly credentials: () => Promise<{ readonly user: string; readonly token: string }>;
}

export interface RemoteTools extends ScmTools {
  readonly repositoryThere: RemoteRepository;
}

/** Our ref for the newest base of the forge: the branch of that name is the user's. */
function baseRef(branch: string): string {
  return `refs/ao/base/${branch}`;
}

/** For tools of a remote forge: its base is newer than the local branch. */
export function newestBase({ defaultBranch }: ScmProject, branch: string): string | null {
  return branch === defaultBranch ? baseRef(branch) : null;
}

/** The commit of a branch on the forge; null: no such branch. */
async function readRemoteHead(tools: RemoteTools, project: ScmProject, branch: string): Promise<string | null> {
  const args = ["ls-remote", tools.repositoryThere.url, `refs/heads/${branch}`];
  const { stdout } = await runRemote(tools, { cwd: project.path, args });
  return /^[0-9a-f]{40,64}/.exec(stdout)?.[0] ?? null;
}

/** Fetches the forge's base into our own ref. */
export async function fetchBase(tools: RemoteTools, project: ScmProject): Promise<void> {
  const branch = project.defaultBranch;
  const refs = `+refs/heads/${branch}:${baseRef(branch)}`;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", tools.repositoryThere.url, refs];
  await runRemote(tools, { cwd: project.path, args });
}

/** Fetches a branch of the forge and returns its commit. Leaves a branch alone that is checked out or has commits the forge lacks. */
export async function fetchBranch(
  tools: RemoteTools,
  project: ScmProject,
  { branch, from }: { readonly branch: string; readonly from?: string | undefined },
): Promise<string> {
  const { forge, url } = tools.repositoryThere;
  const ref = `refs/heads/${branch}`;
  const refuse = (message: string, hint: string): PluginError => failure("conflict", "conflict", { message, hint });
  if (!isBranchName(branch)) throw refuse(`ao does not take a branch named "${branch}".`, "Rename it on the forge.");
  const [holder] = holdersOf(await listCheckouts(tools, project.path), ref);
  if (holder !== undefined) {
    const hint = `Switch to another branch there: \`git -C ${holder.path} switch ${project.defaultBranch}\`.`;
    throw refuse(`Branch ${branch} is checked out in ${holder.path}.`, hint);
  }
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, `${from ?? ref}:${ref}`];
  const { code } = await runRemote(tools, { cwd: project.path, args, okCodes: [0, 1] });
  const head = await readHead(tools, project, branch);
  if (code === 0 && head !== null) return head;
  const hint = `Push them, or rename the branch: \`git branch -m ${branch} ${branch}-old\`.`;
  throw refuse(`Branch ${branch} in ${project.path} has commits that ${forge} lacks.`, hint);
}

interface Push {
  readonly branch: string;
  readonly head: string;
  readonly published: string | null;
  /** Where to push instead. */
  readonly fork?: ForkBranch;
}

/**
 * Pushes a commit to one of our branches, or to a fork whose author allows it. Replaces only what `ao` itself pushed or
 * what the commit contains; the lease makes check and push one step.
 */
export async function pushBranch(tools: RemoteTools, project: ScmProject, push: Push): Promise<PublishAnswer> {
  const { fork, ...own } = push;
  if (fork !== undefined) return pushTo(inFork(tools, fork), project, { ...own, branch: fork.branch });
  if (own.branch === project.defaultBranch) {
    throw failure("usage", "config", { message: `ao does not push to ${own.branch}, the project's default branch.` });
  }
  return pushTo(tools, project, own);
}

function inFork(tools: RemoteTools, { repository }: ForkBranch): RemoteTools {
  const { repositoryThere: own } = tools;
  const refusedHint = `Ask its author to allow edits by maintainers, and use a token that may write to ${repository}.`;
  return { ...tools, repositoryThere: { ...own, url: own.urlOf(repository), refusedHint } };
}

async function pushTo(tools: RemoteTools, project: ScmProject, what: Omit<Push, "fork">): Promise<PublishAnswer> {
  const { branch, head, published } = what;
  const { forge, url } = tools.repositoryThere;
  const cwd = project.path;
  const there = await readRemoteHead(tools, project, branch);
  if (there === head) return { kind: "published" };
  if (there !== null && there !== published && !(await contains(tools, project, { head, there }))) {
    return { kind: "diverged", head: there };
  }
  const lease = `--force-with-lease=refs/heads/${branch}:${there ?? ""}`;
  const args = ["push", "--quiet", "--no-verify", lease, url, `${head}:refs/heads/${branch}`];
  const { code, stderr } = await runRemote(tools, { cwd, args, okCodes: [0, 1] });
  if (code === 0) return { kind: "published" };
  throw failure("git-failed", /stale info/.test(stderr) ? "conflict" : "unavailable", {
    message: `${forge} did not take ${branch}: ${reasonIn(stderr)}`,
    hint: "`ao doctor` checks the token and the rules of the repository.",
  });
}

/**
 * Deletes a branch on the forge if it is still at `head`; the lease makes check and deletion one step. Returns the commit
 * that it is at instead; null: it is gone.
 */
export async function deleteRemoteBranch(
  tools: RemoteTools,
  project: ScmProject,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<string | null> {
  const { forge, url } = tools.repositoryThere;
  const there = await readRemoteHead(tools, project, branch);
  if (there !== head) return there;
  const ref = `refs/heads/${branch}`;
  const args = ["push", "--quiet", "--no-verify", `--force-with-lease=${ref}:${head}`, url, `:${ref}`];
  const { code, stderr } = await runRemote(tools, { cwd: project.path, args, okCodes: [0, 1] });
  if (code === 0) return null;
  // Somebody may have pushed to it, or one of the forge's own settings have deleted it, at this moment.
  const now = await readRemoteHead(tools, project, branch);
  if (now !== head) return now;
  throw failure("git-failed", /remote rejected/.test(stderr) ? "conflict" : "unavailable", {
    message: `${forge} did not delete ${branch}: ${reasonIn(stderr)}`,
    hint: "`ao doctor` checks the token and the rules of the repository.",
  });
}

/** Git's reason for a failed push. */
function reasonIn(stderr: string): string {
  const reason = stderr.split("\n").find((line) => /rejected|error|fatal/.test(line)) ?? "no reason given";
  return reason.trim().slice(0, 300);
}

async function contains(
  tools: RemoteTools,
  project: ScmProject,
  { head, there }: { readonly head: string; readonly there: string },
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", there, head];
  const { code } = await tools.git({ cwd: project.path, args, okCodes: [0, 1, 128] });
  return code === 0;
}

// Git's messages for a rejected token and a missing repository, which have the same exit code as everything else.
const REFUSED = /Authentication failed|could not read Username|terminal prompts disabled|error: 40[13]/i;
const MISSING = /repository .*not found|error: 404/i;

async function runRemote(tools: RemoteTools, call: GitCall): Promise<ExecResult> {
  const { forge, url, credentials, refusedHint } = tools.repositoryThere;
  const { user, token } = await credentials();
  try {
    return await tools.git({ ...call, settings: authorize(url, { user, token }) });
  } catch (error) {
    const said = error instanceof PluginError ? String(error.data?.["stderr"] ?? "") : "";
    if (REFUSED.test(said)) {
      const hint = refusedHint ?? "`ao doctor` shows which token is used and what it lacks.";
      throw failure("git-failed", "auth", { message: `${forge} refused the token for ${url}.`, hint });
    }
    if (!MISSING.test(said)) throw error;
    const hint = "Check `repo`, and that the token may read it: a forge hides what a token may not see.";
    throw failure("git-failed", "not-found", { message: `${forge} has no repository ${url}.`, hint });
  }
}

// Sent only to this host, wherever the repository's settings point, and over a verified connection.
function authorize(
  url: string,
  { user, token }: { readonly user: string; readonly token: string },
): readonly (readonly [string, string])[] {
  const { origin } = new URL(url);
  const basic = Buffer.from(`${user}:${token}`).toString("base64");
  return [
    [`http.${origin}/.extraHeader`, `Authorization: Basic ${basic}`],
    [`http.${origin}/.sslVerify`, "true"],
    ["credential.helper", ""],
  ];
}
