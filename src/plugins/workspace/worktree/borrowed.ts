import { basename } from "node:path";
import type { Place } from "../../../providers/git/layout.ts";
import { refComponent } from "../../../providers/git/preserved.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/** The refs that keep what a checkout borrows from `git gc`, even if every branch that had it is deleted. */
function borrowedPrefix(path: string): string {
  return `refs/ao/borrowed/${refComponent(basename(path))}/`;
}

/** Keeps the commits that a new checkout borrows. No object is written: a `git gc` at this moment could remove it. */
export async function keepFirst(tools: Tools, { path, commonDir }: Place, commits: readonly string[]): Promise<void> {
  const prefix = borrowedPrefix(path);
  const stdin = [...new Set(commits)].map((commit) => `update ${prefix}${commit} ${commit}\n`).join("");
  await tools.git({ cwd: commonDir, args: ["update-ref", "--stdin"], stdin });
}

/** Keeps another commit too, in place of those that it contains. */
export async function keepAnother(tools: Tools, { path, commonDir }: Place, commit: string): Promise<void> {
  const prefix = borrowedPrefix(path);
  const contained = await listKept(tools, commonDir, [`--merged=${commit}`, prefix]);
  const lines = contained.filter((kept) => kept !== commit).map((kept) => `delete ${prefix}${kept}\n`);
  const stdin = [`update ${prefix}${commit} ${commit}\n`, ...lines].join("");
  await tools.git({ cwd: commonDir, args: ["update-ref", "--stdin"], stdin });
}

/** Stops keeping them, once the checkout is gone. */
export async function releaseBorrowed(tools: Tools, { path, commonDir }: Place): Promise<void> {
  const prefix = borrowedPrefix(path);
  const kept = await listKept(tools, commonDir, [prefix]);
  if (kept.length === 0) return;
  const stdin = kept.map((commit) => `delete ${prefix}${commit}\n`).join("");
  await tools.git({ cwd: commonDir, args: ["update-ref", "--stdin"], stdin });
}

async function listKept(tools: Tools, cwd: string, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await tools.git({ cwd, args: ["for-each-ref", "--format=%(objectname)", ...args] });
  return stdout.split("\n").filter((line) => line !== "");
}
