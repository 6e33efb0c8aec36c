import type { ChangeEvent } from "./events.ts";
import { MAX_REPLIES } from "./limits.ts";
import type { ChangeState, Review, Thread } from "./state.ts";

type TalkEvent = Extract<ChangeEvent, { readonly type: `review.${string}` | `thread.${string}` | `label.${string}` }>;

/** Applies what people (and the agent) say about a change. */
export function evolveReview(state: ChangeState, event: TalkEvent, at: number): ChangeState {
  switch (event.type) {
    case "review.given":
      return given(state, event, at);
    case "review.dismissed":
      return {
        ...state,
        reviews: state.reviews.map((review) => (review.id === event.id ? { ...review, isDismissed: true } : review)),
      };
    case "review.requested": {
      const { id, head, replies } = event;
      const asked = (review: Review): Review => ({ ...review, requestedAgain: { head, replies } });
      return { ...state, reviews: state.reviews.map((review) => (review.id === id ? asked(review) : review)) };
    }
    case "thread.replied":
      return withThread(withBodyThread(state, event), event.threadId, (thread) => {
        const { commentId: id, author, byAgent, access, text } = event;
        if (thread.comments.length > MAX_REPLIES || thread.comments.some((comment) => comment.id === id)) return thread;
        return { ...thread, comments: [...thread.comments, { id, author, byAgent, ...accessOf(access), text, at }] };
      });
    case "thread.resolved":
      return withThread(state, event.threadId, (thread) => ({ ...thread, resolvedBy: event.by }));
    case "thread.reopened":
      return withThread(state, event.threadId, (thread) => ({ ...thread, resolvedBy: null }));
    case "label.added":
      return state.labels.includes(event.label) ? state : { ...state, labels: [...state.labels, event.label] };
    case "label.removed":
      return { ...state, labels: state.labels.filter((label) => label !== event.label) };
  }
}

function given(state: ChangeState, event: Extract<TalkEvent, { type: "review.given" }>, at: number): ChangeState {
  if (state.reviews.some((review) => review.id === event.id)) return state;
  const { id, author, verdict, body, head } = event;
  const access = accessOf(event.access);
  const bot = event.isBot === true || /\[bot\]$/i.test(author) ? { isBot: true as const } : {};
  const threads = event.threads.map(({ id: threadId, commentId, path, line, text }): Thread => {
    const known = state.threads.find((thread) => thread.id === threadId);
    // It was seen before the review that it turned out to belong to.
    if (known !== undefined) return { ...known, reviewId: id };
    const comments = [{ id: commentId, author, byAgent: false, ...access, text, at }];
    return { id: threadId, reviewId: id, path, line, comments, resolvedBy: null };
  });
  const isMoved = (threadId: string): boolean => threads.some((thread) => thread.id === threadId);
  return {
    ...state,
    reviews: [...state.reviews, { id, author, verdict, body, head, ...bot, ...access, at }],
    threads: [...state.threads.filter((thread) => !isMoved(thread.id)), ...threads],
  };
}

function withBodyThread(state: ChangeState, event: Extract<TalkEvent, { type: "thread.replied" }>): ChangeState {
  const { threadId: id, reviewId } = event;
  const review = state.reviews.find((one) => one.id === reviewId);
  if (review?.body == null || state.threads.some((thread) => thread.id === id)) return state;
  const { author, access, body: text, at } = review;
  const comments = [{ id: `${id}.1`, author, byAgent: false, ...accessOf(access), text, at }];
  const thread: Thread = { id, reviewId: review.id, path: null, line: null, comments, resolvedBy: null };
  return { ...state, threads: [...state.threads, thread] };
}

function accessOf(access: Review["access"]): Pick<Review, "access"> {
  return access === undefined ? {} : { access };
}

function withThread(state: ChangeState, id: string, change: (thread: Thread) => Thread): ChangeState {
  return { ...state, threads: state.threads.map((thread) => (thread.id === id ? change(thread) : thread)) };
}
