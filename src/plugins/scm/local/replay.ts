import type { MergeRequest } from "../../../ports/scm.ts";
import { failure } from "../../../providers/git/failure.ts";
import { splitNul } from "../../../providers/git/git.ts";
import { mergeTrees } from "../../../providers/git/scm/merge-tree.ts";
import { boundNames } from "../../../providers/git/scm/names.ts";
import { standIn } from "../../../providers/git/scm/stand-in.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { type Authorship, type DatedRequest, dateEnv, identityEnv } from "./author.ts";
import { type Build, commitTree } from "./commit-tree.ts";

const MAX_COMMITS = 1000;

interface Step {
  readonly commit: string;
  readonly parent: string | null;
  readonly tree: string;
}

interface Onto {
  readonly base: string;
  /** The result of a plain merge. */
  readonly tree: string;
  readonly authorship: Authorship;
}

/** Replays the commits of a branch on its base, one by one, without a work tree; omits empty commits. */
export async function replay(tools: ScmTools, request: DatedRequest, onto: Onto): Promise<Build> {
  const cwd = request.project.path;
  const { commits, merges } = await listCommits(tools, request, onto.base);
  const steps: Step[] = [];
  let tree = (await tools.git({ cwd, args: ["rev-parse", `${onto.base}^{tree}`] })).stdout.trim();
  for (const commit of commits) {
    const picked = await pick(tools, cwd, commit, tree);
    if (picked.kind === "conflict") return picked;
    if (picked.tree !== tree) steps.push({ commit: commit.id, parent: commit.parent, tree: picked.tree });
    tree = picked.tree;
  }
  // What a merge commit of the branch settled by hand is lost in a straight line: then the result is another one.
  if (merges && tree !== onto.tree)
    return { kind: "conflict", files: await listChanged(tools, cwd, { one: onto.tree, other: tree }) };
  return { kind: "ready", tree, commit: () => writeSteps(tools, cwd, { onto, steps, dates: dateEnv(request) }) };
}

interface Listed {
  readonly id: string;
  readonly parent: string | null;
}

async function listCommits(
  tools: ScmTools,
  { project, head, startsAfter }: MergeRequest,
  base: string,
): Promise<{ readonly commits: readonly Listed[]; readonly merges: boolean }> {
  const others = startsAfter === undefined ? [] : [`^${startsAfter}`];
  const args = ["rev-list", "--topo-order", "--reverse", "--parents", `${base}..${head}`, ...others];
  const lines = (await tools.git({ cwd: project.path, args })).stdout.split("\n").filter((line) => line !== "");
  if (lines.length > MAX_COMMITS) {
    throw failure("too-large", "config", {
      message: `The branch has ${lines.length} commits; at most ${MAX_COMMITS} are replayed.`,
      hint: "Merge it with the strategy squash or merge.",
    });
  }
  const all = lines.map((line) => line.split(" "));
  const commits = all.filter((ids) => ids.length <= 2).map(([id = "", parent]) => ({ id, parent: parent ?? null }));
  return { commits, merges: commits.length < all.length };
}

// A commit is picked by merging it with one that has its parent as parent and the tree so far as content.
async function pick(
  tools: ScmTools,
  cwd: string,
  { id, parent }: Listed,
  tree: string,
): Promise<{ readonly kind: "clean"; readonly tree: string } | Extract<Build, { readonly kind: "conflict" }>> {
  const stand = await standIn(tools, cwd, { tree, parent });
  const merged = await mergeTrees(tools, cwd, [stand, id]);
  if (merged.kind !== "unknown") return merged;
  throw failure("git-failed", "conflict", { message: `Commit ${id} cannot be replayed: ${merged.reason}.` });
}

async function listChanged(
  tools: ScmTools,
  cwd: string,
  { one, other }: { readonly one: string; readonly other: string },
): Promise<readonly string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", one, other];
  return boundNames(splitNul((await tools.git({ cwd, args })).stdout));
}

interface Straight {
  readonly onto: Onto;
  readonly steps: readonly Step[];
  /** The environment that sets the dates of rewritten commits. */
  readonly dates: Readonly<Record<string, string>>;
}

async function writeSteps(tools: ScmTools, cwd: string, { onto, steps, dates }: Straight): Promise<string> {
  let tip = onto.base;
  for (const step of steps) {
    // Nothing came in between: the commit is already in place.
    tip =
      step.parent === tip ? step.commit : await rewrite(tools, cwd, step, { tip, dates, authorship: onto.authorship });
  }
  return tip;
}

type Rewrite = Pick<Onto, "authorship"> & Pick<Straight, "dates"> & { readonly tip: string };

async function rewrite(
  tools: ScmTools,
  cwd: string,
  { commit, tree }: Step,
  { tip, authorship: { committer }, dates }: Rewrite,
): Promise<string> {
  const args = ["log", "-1", "--encoding=UTF-8", "--date=raw", "--format=%an%n%ae%n%ad%n%B", commit];
  const [name, email, date = "", ...lines] = (await tools.git({ cwd, args })).stdout.split("\n");
  const author = { name: name || email || "unknown", email: email || "unknown@localhost" };
  const env = { ...identityEnv(author, committer), ...dates, GIT_AUTHOR_DATE: `@${date}` };
  return commitTree(tools, cwd, { tree, parents: [tip], message: `${lines.join("\n").trimEnd()}\n`, env });
}
