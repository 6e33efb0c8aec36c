import { mergeTree, readBranch } from "./git.ts";
import type { Pull, Repository } from "./model.ts";

const known = new Map<string, boolean>();

/** Would the head merge into the base now? Computed by git; null: a branch is gone. */
export async function isMergeable(repository: Repository, pull: Pull): Promise<boolean | null> {
  const base = readBranch(repository.gitDir, pull.baseBranch);
  if (base === null || pull.state === "closed") return null;
  const key = `${repository.gitDir} ${base} ${pull.head}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const answer = (await mergeTree(repository.gitDir, base, pull.head)) !== null;
  known.set(key, answer);
  return answer;
}
