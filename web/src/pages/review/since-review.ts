import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import type { Diff } from "../../parts/diff/parse-diff.ts";

/** The commit of the newest review, if another one is on screen: the changes since then are worth a separate look. */
export function lastReviewed(reviews: PullRequestDetailView["reviews"], head: string): string | null {
  const newest = reviews.at(-1)?.head ?? head;
  return newest === head ? null : newest;
}

/** Changes from the base since then are not part of the pull request. */
export function onlyIn(part: Diff, whole: Diff): Diff {
  const paths = new Set(whole.files.flatMap(({ path, oldPath }) => [path, oldPath]));
  return { ...part, files: part.files.filter(({ path }) => paths.has(path)) };
}
