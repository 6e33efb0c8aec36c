import type { Scm } from "../../ports/scm.ts";
import type { FakeRepository } from "./repository.ts";
import type { FakePull } from "./scm.ts";

interface Forge {
  readonly pulls: FakePull[];
  /** The commits of the forge's branches. */
  readonly branches: Map<string, string>;
}

/** Reverts a merged pull request on its own branch. */
export function createFakeRevert(repository: FakeRepository, forge: Forge): NonNullable<Scm["revert"]> {
  return async ({ number, title }) => {
    const branch = `revert-${number}`;
    const known = forge.pulls.find((pull) => pull.branch === branch);
    const head = known?.head ?? revertOnMain(repository, number, title);
    if (head === null) return { kind: "refused", reason: `#${number} cannot be reverted` };
    const opened = known ?? { number: forge.pulls.length + 1, branch, head };
    if (known === undefined) forge.pulls.push(opened);
    forge.branches.set(branch, head);
    repository.setHead(branch, head);
    return { kind: "opened", url: `https://forge.test/pull/${opened.number}`, ...opened };
  };
}

// A side with the merge as its parent and the old tree: merging it reverts the merge.
function revertOnMain(repository: FakeRepository, number: number, subject: string): string | null {
  const [merge, before] = ["merge", "merge-base"].map((name) => repository.refs.get(`refs/ao/${name}/${number}`) ?? "");
  const [tree, main] = [repository.get(before ?? "")?.tree, repository.head("main")];
  if (merge === undefined || tree === undefined || main === null) return null;
  const side = repository.commit({ parents: [merge], tree, subject });
  const merged = repository.merge(main, side.id);
  return merged.conflicts.length > 0 ? null : repository.commit({ parents: [main], tree: merged.tree, subject }).id;
}
