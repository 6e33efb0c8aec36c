import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Mergeability, TriedMerge } from "../../../ports/mergeability.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { tailOf } from "../failure.ts";
import { splitNul } from "../git.ts";
import { findCommonDir } from "../repository.ts";
import { findMergeTreeObstacle } from "./git-version.ts";
import { boundNames } from "./names.ts";
import { standInsSince } from "./stand-in.ts";
import type { ScmTools } from "./tools.ts";

export type MergedTree =
  | { readonly kind: "clean"; readonly tree: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** They cannot be merged at all: no common history, an object is missing. */
  | { readonly kind: "unknown"; readonly reason: string };

/** Merges two commits in memory; only objects are written. */
export async function mergeTrees(
  tools: ScmTools,
  cwd: string,
  [ours, theirs]: readonly [string, string],
  env: Readonly<Record<string, string>> = {},
): Promise<MergedTree> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const { code, stdout, stderr } = await tools.git({ cwd, args, env, okCodes: [0, 1, 128] });
  const [tree, ...files] = splitNul(stdout);
  if (code === 0 && tree !== undefined) return { kind: "clean", tree };
  // A missing object also exits with 1, but prints no tree.
  if (code === 1 && tree !== undefined) return { kind: "conflict", files: boundNames(files) };
  return { kind: "unknown", reason: tailOf(stderr, 2, 300) || "git merge-tree gave no answer" };
}

/** Merges two commits in memory; `startsAfter` is where the second one's own changes start, if not where both met last. */
export async function mergeOwn(
  tools: ScmTools,
  cwd: string,
  { baseHead, head, startsAfter, env = {} }: TriedMerge & { readonly env?: Readonly<Record<string, string>> },
): Promise<MergedTree> {
  const sides = [baseHead, head] as const;
  const commits =
    startsAfter === undefined ? sides : await standInsSince(tools, cwd, { origin: startsAfter, sides, env });
  return mergeTrees(tools, cwd, commits, env);
}

/** Would these two commits merge? Git writes its objects to a temporary folder. */
export async function tryMerge(tools: ScmTools, project: ScmProject, commits: TriedMerge): Promise<Mergeability> {
  const obstacle = await findMergeTreeObstacle(tools);
  if (obstacle !== null) return { kind: "unknown", reason: obstacle };
  const objects = join(await findCommonDir(tools.host.fs, project.path), "objects");
  // Git's own cleanup removes a folder with this name, in case we do not.
  const quarantine = join(objects, `tmp_objdir-ao-${randomBytes(6).toString("hex")}`);
  await tools.host.fs.makeDir(quarantine);
  try {
    const env = { GIT_OBJECT_DIRECTORY: quarantine, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(objects) };
    const merged = await mergeOwn(tools, project.path, { ...commits, env });
    return merged.kind === "clean" ? { kind: "clean" } : merged;
  } finally {
    await tools.host.fs.remove(quarantine);
  }
}

/** A path for git's list of object folders, where a colon separates unless the path is in quotes. */
export function quotePath(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}
