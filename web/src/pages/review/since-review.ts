import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import type { Diff } from "../../parts/diff/parse-diff.ts";

/** The commit of the newest review, if another one is on screen: what came since is worth a look of its own. */
export function lastReviewed(reviews: PullRequestDetailView["reviews"], head: string): string | null {
  const newest = reviews.at(-1)?.head ?? head;
  return newest === head ? null : newest;
}

/** What came from the base since then is no part of the pull request. */
export function onlyIn(part: Diff, whole: Diff): Diff {
  const paths = new Set(whole.files.flatMap(({ path, oldPath }) => [path, oldPath]));
  return { ...part, files: part.files.filter(({ path }) => paths.has(path)) };
}
