import type { LineCount } from "../../../core/session/state.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { splitNul } from "../../../providers/git/git.ts";
import type { ScmTools } from "./tools.ts";

/** How much a commit changes against where it left its base; a binary file counts as a file without lines. */
export async function countChanges(
  tools: ScmTools,
  project: ScmProject,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<LineCount> {
  const args = ["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", `${base}...${head}`, "--"];
  const { stdout } = await tools.git({ cwd: project.path, args });
  const files = splitNul(stdout).map((line) => line.split("\t"));
  const sum = (column: number): number => files.reduce((total, file) => total + (Number(file[column]) || 0), 0);
  return { added: sum(0), removed: sum(1), files: files.length };
}
