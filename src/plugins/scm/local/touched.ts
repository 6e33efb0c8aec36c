import { splitNul } from "../../../providers/git/git.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";

/** A path that differs between two trees, considering files only. */
export interface Touched {
  readonly path: string;
  /** submodule: nothing in the work tree is ours to touch. */
  readonly change: "added" | "deleted" | "changed" | "submodule";
  /** Its new state, as an index entry; null if it is removed. */
  readonly entry: string | null;
}

const SUBMODULE = "160000";
const NOTHING = "000000";

/** The paths that differ between two commits or trees. */
export async function listTouched(
  tools: ScmTools,
  cwd: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly Touched[]> {
  const args = ["diff-tree", "-r", "-z", "--no-abbrev", "--no-renames", from, to];
  const fields = splitNul((await tools.git({ cwd, args })).stdout);
  const touched: Touched[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", , blob = ""] = fields[at]!.slice(1).split(" ");
    const path = fields[at + 1]!;
    const change = changeOf(isFile(oldMode), isFile(newMode));
    touched.push({ path, change, entry: isFile(newMode) ? `${newMode} ${blob}\t${path}` : null });
  }
  return touched;
}

function isFile(mode: string): boolean {
  return mode !== SUBMODULE && mode !== NOTHING;
}

function changeOf(wasFile: boolean, isNow: boolean): Touched["change"] {
  if (wasFile) return isNow ? "changed" : "deleted";
  return isNow ? "added" : "submodule";
}
