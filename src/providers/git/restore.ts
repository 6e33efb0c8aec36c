import type { Preserved } from "./preserved.ts";
import type { Tools } from "./tools.ts";

export interface Restored {
  /** The tree for the work tree; null: check out the plain branch. */
  readonly workTree: string | null;
  readonly indexTree: string | null;
  readonly intentToAdd: readonly string[];
  readonly notes: readonly string[];
}

/** Decides how much of a saved state fits on the commit that HEAD will be at. */
export async function planRestore(
  tools: Tools,
  cwd: string,
  { saved, head }: { readonly saved: Preserved; readonly head: string },
): Promise<Restored> {
  if (saved.head === head) {
    return { workTree: saved.workTree, indexTree: saved.indexTree, intentToAdd: saved.intentToAdd, notes: [] };
  }
  const merged = await mergeTrees(tools, cwd, { head, saved: saved.commit });
  if (merged !== null) {
    const note = `The branch had moved since ${saved.ref} was saved; its changes were brought back on top, none of them staged.`;
    return { workTree: merged, indexTree: null, intentToAdd: [], notes: [note] };
  }
  const note =
    `The branch had moved since ${saved.ref} was saved, and the changes do not apply cleanly; ` +
    `nothing is lost: git stash apply ${saved.ref} brings them in, with conflicts to resolve.`;
  return { workTree: null, indexTree: null, intentToAdd: [], notes: [note] };
}

async function mergeTrees(
  tools: Tools,
  cwd: string,
  { head, saved }: { readonly head: string; readonly saved: string },
): Promise<string | null> {
  // Needs git 2.38; an older one prints its usage, which counts as "does not apply".
  const args = ["merge-tree", "--write-tree", "--no-messages", head, saved];
  const { code, stdout } = await tools.git({ cwd, args, okCodes: [0, 1, 128, 129] });
  return code === 0 ? stdout.trim() : null;
}

/** Writes a saved work tree and index into an empty checkout. */
export async function writeRestored(
  tools: Tools,
  cwd: string,
  { restored, env }: { readonly restored: Restored; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  if (restored.workTree === null) return;
  const { git } = tools;
  await git({ cwd, env, args: ["read-tree", "--reset", "-u", restored.workTree] });
  // The index returns to its saved state, and keeps the stat data of the files just written.
  await git({ cwd, env, args: ["read-tree", "-m", restored.indexTree ?? "HEAD"] });
  if (restored.intentToAdd.length === 0) return;
  const args = ["--literal-pathspecs", "add", "--force", "--intent-to-add"];
  const stdin = restored.intentToAdd.map((path) => `${path}\0`).join("");
  await git({ cwd, env, args: [...args, "--pathspec-from-file=-", "--pathspec-file-nul"], stdin });
}
