import type { ScmTools } from "./tools.ts";

const NOBODY = { NAME: "ao", EMAIL: "ao@localhost", DATE: "@1 +0000" };
const IDENTITY = Object.fromEntries(
  Object.entries(NOBODY).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]),
);

/** A commit that only holds a tree. Always the same one for the same content, so that a merge that is tried often leaves no heap behind. */
export async function standIn(
  tools: ScmTools,
  cwd: string,
  { tree, parent, env = {} }: { readonly tree: string; readonly parent: string | null; readonly env?: Environment },
): Promise<string> {
  const args = ["commit-tree", tree, ...(parent === null ? [] : ["-p", parent]), "-F", "-"];
  const { stdout } = await tools.git({ cwd, args, stdin: "stand-in\n", env: { ...IDENTITY, ...env } });
  return stdout.trim();
}

type Environment = Readonly<Record<string, string>>;

/**
 * Stand-ins for two commits that have a third one as their only common ancestor: merging them takes what changed since
 * that one, whatever their own history says. (`git merge-tree --merge-base` needs git 2.40.)
 */
export async function standInsSince(
  tools: ScmTools,
  cwd: string,
  {
    origin,
    sides,
    env = {},
  }: { readonly origin: string; readonly sides: readonly [string, string]; readonly env?: Environment },
): Promise<readonly [string, string]> {
  const treeOf = async (commit: string): Promise<string> =>
    (await tools.git({ cwd, args: ["rev-parse", "--verify", `${commit}^{tree}`], env })).stdout.trim();
  const parent = await standIn(tools, cwd, { tree: await treeOf(origin), parent: null, env });
  const [ours, theirs] = sides;
  return [
    await standIn(tools, cwd, { tree: await treeOf(ours), parent, env }),
    await standIn(tools, cwd, { tree: await treeOf(theirs), parent, env }),
  ];
}
