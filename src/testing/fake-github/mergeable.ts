import { canMerge, readBranch } from "../fake-forge/git.ts";
import type { Pull, Repository } from "./model.ts";

/** Would the head merge into the base now? null: a branch is gone. */
export async function isMergeable(repository: Repository, pull: Pull): Promise<boolean | null> {
  const base = readBranch(repository.gitDir, pull.baseBranch);
  if (base === null || pull.state === "closed") return null;
  return canMerge(repository.gitDir, base, pull.head);
}
