import { shortCommit } from "../hash.ts";
import type { TrustPolicy } from "../policy.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { joinTexts, lineOf, nameOr, type Reader } from "../reaction/template.ts";
import { UNTRUSTED_KEY } from "../reaction/untrusted.ts";
import type { StoredText } from "../text.ts";
import { namesOf } from "./names.ts";
import { bodyThreadOf, isAnswered, openComments, openRequests, threadsOf } from "./review.ts";
import { inParts } from "./review-parts.ts";
import type { ChangeState, Review } from "./state.ts";
import { commentsBy, isTrusted } from "./trust.ts";

/** What reviewers request. Words of untrusted people are a separate problem: they wait for a person. */
export function reviewProblems(change: ChangeState, trust: TrustPolicy | undefined): readonly DetectedProblem[] {
  const requests = openRequests(change).filter(
    (review) => isTrusted(review, trust) && isUpToAgent(change, review, trust),
  );
  const comments = openComments(change).filter((review) => isTrusted(review, trust) && !isAnswered(change, review));
  return [
    ...requests.map((review) => reviewProblem(change, review, { key: "changes-requested", trust })),
    ...comments.map((review) =>
      reviewProblem(change, review, { key: review.isBot === true ? "bot-commented" : "review-commented", trust }),
    ),
    ...change.reviews.flatMap((review) => untrustedProblem(change, review, trust)),
  ];
}

/** Was the reviewer asked for another review, without having said anything since? */
export function isReviewAwaited(change: ChangeState, review: Review, trust: TrustPolicy | undefined): boolean {
  return review.requestedAgain?.replies === countReplies(change, review, trust);
}

/** Is a problem about a review that is answered, but not yet resolved? */
export function isReviewUndetermined(change: ChangeState, id: string, trust: TrustPolicy | undefined): boolean {
  const [, key, reviewId] = /^(changes-requested|review-commented|bot-commented):(.*)$/s.exec(id) ?? [];
  if (key !== "changes-requested") return openComments(change).some((review) => review.id === reviewId);
  return openRequests(change).some((review) => review.id === reviewId && !isReviewAwaited(change, review, trust));
}

function isUpToAgent(change: ChangeState, review: Review, trust: TrustPolicy | undefined): boolean {
  return !isAnswered(change, review) && !isReviewAwaited(change, review, trust);
}

interface Kind {
  readonly key: "changes-requested" | "review-commented" | "bot-commented";
  readonly trust: TrustPolicy | undefined;
}

function reviewProblem(change: ChangeState, review: Review, { key, trust }: Kind): DetectedProblem {
  return {
    id: `${key}:${review.id}`,
    key,
    occurrence: `${review.id}${repliesOf(change, review, trust)}`,
    text: `${review.author} ${key === "changes-requested" ? "requested changes" : "commented"}`,
    ...describeReview(change, review, {
      reviewer: { name: review.author, isTrusted: true },
      words: () => wordsOf(change, review, { trust, isTrustedOnes: true }),
    }),
  };
}

function untrustedProblem(
  change: ChangeState,
  review: Review,
  trust: TrustPolicy | undefined,
): readonly DetectedProblem[] {
  const choose = { trust, isTrustedOnes: false };
  const words = wordsOf(change, review, choose);
  if (words.length === 0 || review.isDismissed === true) return [];
  const author = commentsBy(change, review, choose).at(-1)?.comment.author ?? review.author;
  return [
    {
      id: `${UNTRUSTED_KEY}:${review.id}`,
      key: UNTRUSTED_KEY,
      occurrence: `${review.id}+${words.length}`,
      text: `${author}, who is not trusted here, commented`,
      from: author,
      ...describeReview(change, review, { reviewer: { name: author, isTrusted: false }, words: () => words }),
    },
  ];
}

interface Described {
  readonly reviewer: { readonly name: string; readonly isTrusted: boolean };
  readonly words: () => readonly StoredText[];
}

function describeReview(
  change: ChangeState,
  review: Review,
  { reviewer: { name, isTrusted }, words }: Described,
): Required<Pick<DetectedProblem, "variables" | "parts">> {
  const reviewer = nameOr("somebody", name, { isTrusted });
  const parts = ({ mark }: Reader): readonly StoredText[] => inParts(reviewer, words(), mark);
  return {
    parts,
    variables: (reader) => ({
      ...namesOf(change, reader),
      reviewer,
      head: shortCommit(review.head),
      comments: parts(reader)[0] ?? "",
      reply: `ao reply "#${change.number}" THREAD "TEXT"`,
    }),
  };
}

function repliesOf(change: ChangeState, review: Review, trust: TrustPolicy | undefined): string {
  const count = countReplies(change, review, trust);
  return count === 0 ? "" : `+${count}`;
}

/** What people added to a review later. The agent's own replies and resolved threads are no news to it. */
export function countReplies(change: ChangeState, review: Review, trust: TrustPolicy | undefined): number {
  return threadsOf(change, review.id)
    .flatMap((thread) => thread.comments.slice(1))
    .filter((comment) => !comment.byAgent && isTrusted(comment, trust)).length;
}

function wordsOf(change: ChangeState, review: Review, choose: Parameters<typeof commentsBy>[2]): readonly StoredText[] {
  const isMeant = isTrusted(review, choose.trust) === choose.isTrustedOnes;
  const body = isMeant ? bodyOf(change, review) : [];
  const answered = new Set(choose.isTrustedOnes ? answeredThreads(change, review) : []);
  const open = commentsBy(change, review, choose).filter(({ threadId }) => !answered.has(threadId));
  const comments = open.map(({ threadId, place, comment }) => {
    const where = place === "" ? "" : `${lineOf(place)}: `;
    return joinTexts([{ inline: `- [thread ${threadId}] ${where}` }, comment.text, { inline: "\n" }]);
  });
  return [...body, ...comments];
}

// Where the agent had the last word, it is the reviewer's turn.
function answeredThreads(change: ChangeState, { id }: Review): readonly string[] {
  const threads = threadsOf(change, id).filter(({ comments }) => comments.at(-1)?.byAgent === true);
  return threads.map((thread) => thread.id);
}

// A request for changes without comments can be answered as a whole; once it was, its words are the first ones of that thread.
function bodyOf(change: ChangeState, { id, body, verdict }: Review): readonly StoredText[] {
  const threadId = bodyThreadOf(id);
  if (body === null || change.threads.some((thread) => thread.id === threadId)) return [];
  const isWhole = verdict === "request-changes" && threadsOf(change, id).length === 0;
  const name = isWhole ? `- [thread ${threadId}] ` : "";
  return [joinTexts([{ inline: name }, body, { inline: "\n" }])];
}
