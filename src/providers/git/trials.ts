import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { shortHash } from "../../core/hash.ts";
import type { Mergeability } from "../../ports/mergeability.ts";
import type { TrialMerges, TrialPair, WorkspaceProject, WorkspaceRef } from "../../ports/workspace.ts";
import { tailOf } from "./failure.ts";
import { splitNul } from "./git.ts";
import { copyIndex } from "./index-copy.ts";
import { findCommonDir } from "./repository.ts";
import { findMergeTreeObstacle } from "./scm/git-version.ts";
import { quotePath } from "./scm/merge-tree.ts";
import { indexPack } from "./separate/inspect-pack.ts";
import { receive } from "./separate/receive.ts";
import { readStatus, type Status } from "./status.ts";
import type { Tools } from "./tools.ts";

/** Larger untracked files are skipped: they are data, and copying them each time would cost more than it reveals. */
const MAX_UNTRACKED_BYTES = 1024 * 1024;
const MAX_FILES = 100;

// The same content gives the same commit, so an unchanged workspace keeps its id.
const FIXED_IDENTITY = {
  GIT_AUTHOR_NAME: "ao",
  GIT_AUTHOR_EMAIL: "ao@localhost",
  GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "ao",
  GIT_COMMITTER_EMAIL: "ao@localhost",
  GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
};

interface TrialTools extends Tools {
  /** The git folder of a checkout; one of its own is below the checkout. */
  findGitDir(folder: string): Promise<string | null>;
}

/** Trial merges between the checkouts of a repository. Their objects go to a folder below AO_HOME. */
export function createTrials(tools: TrialTools, home: string): TrialMerges {
  const { fs } = tools.host;
  const folderOf = async (project: WorkspaceProject): Promise<string> =>
    join(home, "trials", shortHash(await findCommonDir(fs, project.path)));
  return {
    capture: async (ref) => {
      const objects = join(await folderOf(ref.project), "captured");
      await fs.makeDir(objects);
      return captureCheckout(tools, ref, objects);
    },
    merge: async (project, pairs) => {
      const obstacle = await findMergeTreeObstacle(tools);
      if (obstacle !== null) return pairs.map(() => ({ kind: "unknown", reason: obstacle }));
      const folder = await folderOf(project);
      const merged = join(folder, `merged-${randomBytes(6).toString("hex")}`);
      await fs.makeDir(merged);
      try {
        const env = await objectFolders(tools, project, merged, join(folder, "captured"));
        return await mergePairs(tools, { cwd: project.path, env }, pairs);
      } finally {
        await fs.remove(merged);
      }
    },
    forget: async (project) => fs.remove(await folderOf(project)),
  };
}

type Environment = Readonly<Record<string, string>>;

/** Lets git read the project's objects and those in some other folders, and write to the first of them. */
async function objectFolders(
  tools: Tools,
  project: WorkspaceProject,
  ...folders: readonly [string, ...string[]]
): Promise<Environment> {
  const own = join(await findCommonDir(tools.host.fs, project.path), "objects");
  const [target, ...others] = folders;
  return {
    GIT_OBJECT_DIRECTORY: target,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: [own, ...others].map(quotePath).join(":"),
  };
}

async function captureCheckout(tools: TrialTools, ref: WorkspaceRef, captured: string): Promise<string | null> {
  const gitDir = await tools.findGitDir(ref.path);
  if (gitDir === null) return null;
  if (gitDir !== join(ref.path, ".git")) {
    return commitCapture(tools, ref, { gitDir, folders: await objectFolders(tools, ref.project, captured) });
  }
  // What an agent can write is not merged with others' work: only objects whose names follow from their contents.
  const scratch = join(captured, "..", `captured-${randomBytes(6).toString("hex")}`);
  await tools.host.fs.makeDir(scratch);
  try {
    const folders = await objectFolders(tools, ref.project, scratch, join(gitDir, "objects"));
    const commit = await commitCapture(tools, ref, { gitDir, folders });
    if (commit !== null) await copyCapture(tools, ref, { commit, folders, scratch, captured });
    return commit;
  } finally {
    await tools.host.fs.remove(scratch);
  }
}

interface Captured {
  readonly commit: string;
  readonly folders: Environment;
  readonly scratch: string;
  readonly captured: string;
}

async function copyCapture(
  tools: Tools,
  { path, project }: WorkspaceRef,
  { commit, folders, scratch, captured }: Captured,
): Promise<void> {
  const env = await objectFolders(tools, project, captured);
  const args = ["cat-file", "-e", `${commit}^{tree}`];
  const known = await tools.git({ cwd: project.path, env, args, okCodes: [0, 1, 128] });
  if (known.code === 0) return;
  const shared = join(await findCommonDir(tools.host.fs, project.path), "objects");
  const quarantine = { folder: scratch, pack: join(scratch, "received"), objects: captured, shared };
  const request = { from: path, to: project.path, objects: [commit], env: folders };
  if ((await receive(tools, request, quarantine)) > 0) await indexPack(tools, request, quarantine);
}

async function commitCapture(
  tools: Tools,
  ref: WorkspaceRef,
  { gitDir, folders }: { readonly gitDir: string; readonly folders: Environment },
): Promise<string | null> {
  const status = await readStatus(tools, ref.path);
  if (status.head === null) return null;
  const paths = await pathsToAdd(tools, ref.path, status);
  if (paths.length + status.staged.length === 0) return status.head;
  const index = await copyIndex(tools, ref.path, gitDir);
  try {
    const env = { ...folders, ...index.env, ...FIXED_IDENTITY };
    await addPaths(tools, { cwd: ref.path, env }, paths);
    const tree = (await tools.git({ cwd: ref.path, env, args: ["write-tree"] })).stdout.trim();
    const commit = ["commit-tree", tree, "-p", status.head, "-m", "ao: captured"];
    return (await tools.git({ cwd: ref.path, env, args: commit })).stdout.trim();
  } finally {
    await index.remove();
  }
}

interface Place {
  readonly cwd: string;
  readonly env: Environment;
}

async function addPaths(tools: Tools, place: Place, paths: readonly string[]): Promise<void> {
  // Without paths, git would add everything.
  if (paths.length === 0) return;
  const args = [
    "--literal-pathspecs",
    "add",
    "--all",
    "--ignore-errors",
    "--pathspec-from-file=-",
    "--pathspec-file-nul",
  ];
  // 1: some file cannot be read; all others are added.
  await tools.git({ ...place, args, stdin: paths.map((path) => `${path}\0`).join(""), okCodes: [0, 1] });
}

async function pathsToAdd(tools: Tools, folder: string, status: Status): Promise<readonly string[]> {
  // The copied index already has what is staged; a staged deletion would be a path that git does not find.
  const tracked = [...status.changed, ...status.unmerged];
  const untracked: string[] = [];
  for (const path of status.untracked) {
    // A trailing slash means a nested repository.
    if (path.endsWith("/")) continue;
    const stat = await tools.host.fs.stat(join(folder, path));
    if (stat !== null && stat.size <= MAX_UNTRACKED_BYTES) untracked.push(path);
  }
  return [...new Set([...tracked, ...untracked])];
}

/**
 * Merges all pairs with as few processes as possible: git stops at a pair it cannot merge, and is restarted for the
 * rest.
 */
async function mergePairs(tools: Tools, place: Place, pairs: readonly TrialPair[]): Promise<readonly Mergeability[]> {
  const answers: Mergeability[] = [];
  while (answers.length < pairs.length) {
    const rest = pairs.slice(answers.length);
    const { stdout, stderr } = await tools.git({
      ...place,
      args: ["merge-tree", "--write-tree", "--stdin", "-z", "--name-only", "--no-messages"],
      stdin: rest.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join(""),
      okCodes: [0, 1, 128, 129],
    });
    const merged = parseMerges(stdout).slice(0, rest.length);
    answers.push(...merged);
    if (merged.length === rest.length) break;
    answers.push({ kind: "unknown", reason: tailOf(stderr, 2, 300) || "git merge-tree gave no answer" });
  }
  return answers;
}

/** Parses the output of `git merge-tree --stdin -z --name-only`: verdict, tree and conflicts of each merge. */
function parseMerges(text: string): readonly Mergeability[] {
  const merges: Mergeability[] = [];
  let fields: string[] = [];
  for (const field of splitNul(text)) {
    if (field !== "") {
      fields.push(field);
      continue;
    }
    const [verdict, , ...files] = fields;
    if (verdict === "1") merges.push({ kind: "clean" });
    else merges.push({ kind: "conflict", files: [...new Set(files)].sort().slice(0, MAX_FILES) });
    fields = [];
  }
  return merges;
}
