import type { ScmTools } from "../../../providers/git/scm/tools.ts";

/** What the base will become: its files are known before the commits are created. */
export type Build =
  | { readonly kind: "ready"; readonly tree: string; commit(): Promise<string> }
  | { readonly kind: "conflict"; readonly files: readonly string[] };

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Writes one commit; no branch has it yet. */
export async function commitTree(tools: ScmTools, cwd: string, commit: NewCommit): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ["-p", parent]);
  const args = ["commit-tree", commit.tree, ...parents, "-F", "-"];
  return (await tools.git({ cwd, args, stdin: commit.message, env: commit.env })).stdout.trim();
}
