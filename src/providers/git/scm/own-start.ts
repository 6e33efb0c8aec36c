import type { ScmProject } from "../../../ports/scm.ts";
import { isAncestor } from "../refs.ts";
import type { ScmTools } from "./tools.ts";

/**
 * A branch's last commit from the merged pull request that it was stacked on; null: its base has them all, because
 * the branch was rebased, has merged a newer base, or the merge kept those commits.
 */
export async function findOwnStart(
  tools: ScmTools,
  project: ScmProject,
  { head, baseHead, landed }: { readonly head: string; readonly baseHead: string; readonly landed: string },
): Promise<string | null> {
  const cwd = project.path;
  const meet = async (other: string): Promise<string | null> => {
    const { code, stdout } = await tools.git({ cwd, args: ["merge-base", other, head], okCodes: [0, 1, 128] });
    return code === 0 ? (stdout.split("\n")[0] ?? null) : null;
  };
  const [start, left] = [await meet(landed), await meet(baseHead)];
  if (start === null || left === null || start === left) return null;
  return (await isAncestor(tools.git, cwd, { commit: left, of: start })) ? start : null;
}
