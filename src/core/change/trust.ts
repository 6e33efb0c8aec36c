import type { TrustPolicy } from "../policy.ts";
import { isPassed } from "../reaction/problem.ts";
import { threadsOf } from "./review.ts";
import type { ChangeState, Review, ThreadComment } from "./state.ts";

/** Whose words reach an agent by default. */
export const DEFAULT_TRUST: TrustPolicy = { from: "collaborators", allow: [], deny: [], autoMerge: false };

/** Who wrote something, and whether they have write access on the forge or tracker; absent: it was written locally. */
export interface Said {
  readonly author: string;
  readonly access?: "write" | "none";
}

/** May these words (of an issue, a pull request, a review or a comment) reach an agent without a person? */
export function isTrusted({ author, access }: Said, trust: TrustPolicy = DEFAULT_TRUST): boolean {
  const isNamed = (names: readonly string[]): boolean =>
    names.some((name) => name.toLowerCase() === author.toLowerCase());
  if (isNamed(trust.deny)) return false;
  if (access === undefined || isNamed(trust.allow)) return true;
  if (trust.from === "collaborators") return access === "write";
  return trust.from === "everyone";
}

/** Can only trusted people have chosen the names of branches, checks and labels that belong to this work? */
export function hasTrustedNames({ readUntrusted }: Pick<ChangeState, "readUntrusted">): boolean {
  return readUntrusted === undefined;
}

/** The key of commits that wait for a person before they are pushed. */
export const HELD_PUSH = "push-held";

/** Does the forge lack a commit of an agent that read words of somebody who is not trusted, in a project that lets a person decide? */
export function needsPass({ readUntrusted, forge, head }: ChangeState, trust: TrustPolicy | undefined): boolean {
  return trust?.push === false && readUntrusted !== undefined && forge !== undefined && forge.published !== head;
}

/** Does such a commit wait for a person now? */
export function isPushHeld(change: ChangeState, trust: TrustPolicy | undefined): boolean {
  const problem = change.problems[HELD_PUSH];
  return needsPass(change, trust) && (problem === undefined || !isPassed(problem));
}

/** Comments of a review, by open threads, that an agent may hear of without a person, or (`isTrustedOnes` false) those that it may not. */
export function commentsBy(
  change: ChangeState,
  review: Review,
  choose: { readonly trust: TrustPolicy | undefined; readonly isTrustedOnes: boolean },
): readonly { readonly threadId: string; readonly place: string; readonly comment: ThreadComment }[] {
  return threadsOf(change, review.id)
    .filter(({ resolvedBy }) => resolvedBy === null)
    .flatMap(({ id: threadId, path, line, comments }) => {
      const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`}`;
      return comments
        .filter((comment) => !comment.byAgent && isTrusted(comment, choose.trust) === choose.isTrustedOnes)
        .map((comment) => ({ threadId, place, comment }));
    });
}
