import type { ChangeState } from "../change/state.ts";
import type { ProjectState } from "../project/state.ts";

/** The commit that a pull request is compared with: that of the project's base, or of the pull request it is stacked on. */
export function baseHeadOf(
  { stackedOn }: Pick<ChangeState, "stackedOn">,
  project: Pick<ProjectState, "baseHead"> | undefined,
): string | null {
  return stackedOn === undefined ? (project?.baseHead ?? null) : stackedOn.head;
}

/** The commit after which a pull request's own commits start, if it still has those of a merged one; else null. */
export function ownStart({ mergeability, head }: Pick<ChangeState, "mergeability" | "head">): string | null {
  return mergeability?.head === head ? (mergeability.startsAfter ?? null) : null;
}
