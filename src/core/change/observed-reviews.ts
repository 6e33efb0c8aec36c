import type { ChangeEvent } from "./events.ts";
import { MAX_REPLIES, MAX_REVIEWS, MAX_THREADS } from "./limits.ts";
import type { ChangeObservation, ReportedReview, ReportedThread } from "./observation.ts";
import type { ChangeState, Thread } from "./state.ts";

/** Why a change with more discussion than is recorded must not be merged: the rest could request changes; null: all is recorded. */
export function beyondLimits(change: ChangeState, { reviews }: ChangeObservation): string | null {
  const threads = reviews.flatMap((review) => review.threads);
  const isNew = (known: readonly { readonly id: string }[]): ((one: { readonly id: string }) => boolean) => {
    const ids = new Set(known.map(({ id }) => id));
    return ({ id }) => !ids.has(id);
  };
  const newReviews = reviews.filter(isNew(change.reviews)).filter((review) => isWorthRecording(asTalk(review)));
  const newThreads = threads.filter(isNew(change.threads));
  const counts = [
    { what: "reviews", count: change.reviews.length + newReviews.length, max: MAX_REVIEWS },
    { what: "threads", count: change.threads.length + newThreads.length, max: MAX_THREADS },
    {
      what: "replies in a thread",
      count: Math.max(0, ...threads.map(({ comments }) => comments.length - 1)),
      max: MAX_REPLIES,
    },
  ];
  const over = counts.find(({ count, max }) => count > max);
  if (over === undefined) return null;
  return `it has more than ${over.max} ${over.what}, and ao reads no more; merge it on the forge`;
}

/** What an observed review adds to the known ones. */
export function decideReview(change: ChangeState, seen: ReportedReview): readonly ChangeEvent[] {
  const known = change.reviews.find(({ id }) => id === seen.id);
  if (known !== undefined) {
    const isNews = seen.isDismissed && known.isDismissed !== true;
    const dismissed = isNews ? [{ type: "review.dismissed", id: seen.id } as const] : [];
    const isRecorded = (thread: ReportedThread): boolean => change.threads.some(({ id }) => id === thread.id);
    const recorded = seen.threads.filter(isRecorded);
    const late = seen.threads.filter((thread) => !isRecorded(thread));
    return [
      ...dismissed,
      ...recorded.flatMap((thread) => decideThread(change, thread)),
      ...decideLate(change, seen, late),
    ];
  }
  return decideNewReview(change, asTalk(seen));
}

// Words without a verdict, or with one that does not count, are a thread: it can be answered, resolved and passed on.
function asTalk(seen: ReportedReview): ReportedReview {
  const { id, author, body, access } = seen;
  if (seen.verdict !== "comment" && access !== "none") return seen;
  if (body === null) return { ...seen, verdict: "comment" };
  const said = { id: `${id}.body`, author, byAgent: false, ...(access === undefined ? {} : { access }), text: body };
  const where = { path: null, line: null, resolvedBy: null, isResolvable: false } as const;
  const talk: ReportedThread = { id: `talk-${id}`, ...where, comments: [said] };
  return { ...seen, verdict: "comment", body: null, threads: [talk, ...seen.threads] };
}

function decideNewReview(change: ChangeState, seen: ReportedReview): readonly ChangeEvent[] {
  if (!isWorthRecording(seen) || change.reviews.length >= MAX_REVIEWS) return [];
  const threads = seen.threads.slice(0, Math.max(0, MAX_THREADS - change.threads.length));
  const { id, author, verdict, body, head, isBot, access = "write" } = seen;
  return [
    {
      type: "review.given",
      id,
      author,
      verdict,
      body,
      head,
      ...(isBot === undefined ? {} : { isBot }),
      access,
      threads: threads.flatMap(({ id: threadId, path, line, comments: [first] }) =>
        first === undefined ? [] : [{ id: threadId, commentId: first.id, path, line, text: first.text }],
      ),
    },
    ...threads.flatMap((thread) => decideThread(change, thread)),
  ];
}

function isWorthRecording(seen: ReportedReview): boolean {
  // A forge creates a review for each reply; the reply itself shows up in its thread.
  const isEmpty = seen.verdict === "comment" && seen.body === null && seen.threads.length === 0;
  const isAllOwn = seen.threads.every(isOwn) && seen.threads.length > 0 && seen.body === null;
  return !isEmpty && !seen.isDismissed && !isAllOwn;
}

// A forge may show a review before all of its threads: the late ones become a separate comment.
function decideLate(
  change: ChangeState,
  seen: ReportedReview,
  late: readonly ReportedThread[],
): readonly ChangeEvent[] {
  const [first] = late;
  if (first === undefined || seen.isDismissed || change.threads.length >= MAX_THREADS) return [];
  return decideReview(change, { ...seen, id: `${seen.id}+${first.id}`, verdict: "comment", body: null, threads: late });
}

function isOwn(thread: ReportedThread): boolean {
  return thread.comments[0]?.byAgent === true;
}

// A thread of a review recorded with this very observation has only its first comment.
function decideThread(change: ChangeState, seen: ReportedThread): readonly ChangeEvent[] {
  if (hasWrites(change, seen.id)) return [];
  const known: Pick<Thread, "comments" | "resolvedBy"> = change.threads.find(({ id }) => id === seen.id) ?? {
    comments: [],
    resolvedBy: null,
  };
  const isKnown = (id: string): boolean => known.comments.some((comment) => comment.id === id);
  const room = Math.max(0, MAX_REPLIES + 1 - Math.max(1, known.comments.length));
  const replies = seen.comments
    .slice(1)
    .filter(({ id }) => !isKnown(id))
    .slice(0, room);
  const threadId = seen.id;
  const isResolved = seen.resolvedBy !== null;
  return [
    ...replies.map(
      ({ id: commentId, author, byAgent, access = "write", text }) =>
        ({ type: "thread.replied", threadId, commentId, author, byAgent, access, text }) as const,
    ),
    ...(isResolved && known.resolvedBy === null
      ? [{ type: "thread.resolved", threadId, by: seen.resolvedBy ?? "somebody" } as const]
      : []),
    ...(!isResolved && known.resolvedBy !== null && seen.isResolvable !== false
      ? [{ type: "thread.reopened", threadId, by: "somebody" } as const]
      : []),
  ];
}

// A pending write is not on the forge yet, so the forge's state is outdated.
export function hasWrites(change: ChangeState, about: string): boolean {
  return (change.forge?.writes ?? []).some((write) => write.about === about);
}
