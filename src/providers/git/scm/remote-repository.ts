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
  /** Who `ao` is there. */
  readonly credentials: () => Promise<{ readonly user: string; readonly token: string }>;
}

export interface RemoteTools extends ScmTools {
  readonly repositoryThere: RemoteRepository;
}

/** Where the newest base of a forge is here: the branch of that name is the user's. */
function baseRef(branch: string): string {
  return `refs/ao/base/${branch}`;
}

/** For tools of a forge elsewhere: its base is newer than the branch here. */
export function newestBase({ defaultBranch }: ScmProject, branch: string): string | null {
  return branch === defaultBranch ? baseRef(branch) : null;
}

/** The commit of a branch on the forge; null: there is no such branch. */
export async function readRemoteHead(tools: RemoteTools, project: ScmProject, branch: string): Promise<string | null> {
  const args = ["ls-remote", tools.repositoryThere.url, `refs/heads/${branch}`];
  const { stdout } = await runRemote(tools, { cwd: project.path, args });
  return /^[0-9a-f]{40,64}/.exec(stdout)?.[0] ?? null;
}

/** Brings the base of the forge here, to a ref of our own. */
export async function fetchBase(tools: RemoteTools, project: ScmProject): Promise<void> {
  const branch = project.defaultBranch;
  const refs = `+refs/heads/${branch}:${baseRef(branch)}`;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", tools.repositoryThere.url, refs];
  await runRemote(tools, { cwd: project.path, args });
}

/**
 * Brings a branch of the forge here, under its own name, and gives its commit. One that is checked out, or has commits that the
 * forge lacks, stays as it is.
 */
export async function fetchBranch(tools: RemoteTools, project: ScmProject, branch: string): Promise<string> {
  const { forge, url } = tools.repositoryThere;
  const ref = `refs/heads/${branch}`;
  const refuse = (message: string, hint: string): PluginError => failure("conflict", "conflict", { message, hint });
  if (!isBranchName(branch)) throw refuse(`ao does not take a branch named "${branch}".`, "Rename it on the forge.");
  const [holder] = holdersOf(await listCheckouts(tools, project.path), ref);
  if (holder !== undefined) {
    const hint = `Switch to another branch there: \`git -C ${holder.path} switch ${project.defaultBranch}\`.`;
    throw refuse(`Branch ${branch} is checked out in ${holder.path}.`, hint);
  }
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, `${ref}:${ref}`];
  const { code } = await runRemote(tools, { cwd: project.path, args, okCodes: [0, 1] });
  const head = await readHead(tools, project, branch);
  if (code === 0 && head !== null) return head;
  const hint = `Push them, or rename the branch: \`git branch -m ${branch} ${branch}-old\`.`;
  throw refuse(`Branch ${branch} in ${project.path} has commits that ${forge} lacks.`, hint);
}

/**
 * Pushes a commit to a branch of ours. Only what `ao` pushed itself, or what the commit contains, is replaced; the lease makes
 * that one step with the push.
 */
export async function pushBranch(
  tools: RemoteTools,
  project: ScmProject,
  what: { readonly branch: string; readonly head: string; readonly published: string | null },
): Promise<PublishAnswer> {
  const { branch, head, published } = what;
  const { forge, url } = tools.repositoryThere;
  const cwd = project.path;
  if (branch === project.defaultBranch) {
    throw failure("usage", "config", { message: `ao does not push to ${branch}, the project's default branch.` });
  }
  const there = await readRemoteHead(tools, project, branch);
  if (there === head) return { kind: "published" };
  if (there !== null && there !== published && !(await contains(tools, project, { head, there }))) {
    return { kind: "diverged", head: there };
  }
  const lease = `--force-with-lease=refs/heads/${branch}:${there ?? ""}`;
  const args = ["push", "--quiet", "--no-verify", lease, url, `${head}:refs/heads/${branch}`];
  const { code, stderr } = await runRemote(tools, { cwd, args, okCodes: [0, 1] });
  if (code === 0) return { kind: "published" };
  const reason = stderr.split("\n").find((line) => /rejected|error|fatal/.test(line)) ?? "no reason given";
  throw failure("git-failed", /stale info/.test(stderr) ? "conflict" : "unavailable", {
    message: `${forge} did not take ${branch}: ${reason.trim().slice(0, 300)}`,
    hint: "`ao doctor` checks the token and the rules of the repository.",
  });
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

// Git's own words for a refused token and a missing repository, which it says with the same exit code as everything else.
const REFUSED = /Authentication failed|could not read Username|terminal prompts disabled|error: 40[13]/i;
const MISSING = /repository .*not found|error: 404/i;

async function runRemote(tools: RemoteTools, call: GitCall): Promise<ExecResult> {
  const { forge, url, credentials } = tools.repositoryThere;
  const { user, token } = await credentials();
  try {
    return await tools.git({ ...call, settings: authorize(url, { user, token }) });
  } catch (error) {
    const said = error instanceof PluginError ? String(error.data?.["stderr"] ?? "") : "";
    if (REFUSED.test(said)) {
      const hint = "`ao doctor` shows which token is used and what it lacks.";
      throw failure("git-failed", "auth", { message: `${forge} refused the token for ${url}.`, hint });
    }
    if (!MISSING.test(said)) throw error;
    const hint = "Check `repo`, and that the token may read it: a forge hides what a token may not see.";
    throw failure("git-failed", "not-found", { message: `${forge} has no repository ${url}.`, hint });
  }
}

// Sent to this host alone, wherever the settings of the repository lead, and over a connection that is verified.
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
