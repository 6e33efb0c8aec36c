import type { ReviewBody } from "../protocol/bodies/pull-request.ts";
import type { PullRequestView } from "../protocol/views/pull-request.ts";
import { type DemoView, pullRequestOf } from "./demo-view.ts";
import { type Part, REVIEWER, STORY } from "./story.ts";

/** One action of a person, which the demo takes in their place. */
export type DemoStep =
  | { readonly kind: "answer"; readonly sessionId: string; readonly question: string; readonly choice: string }
  | { readonly kind: "review"; readonly change: PullRequestView; readonly review: ReviewBody };

const APPROVAL = "Looks good.";

/**
 * The next step of the demo's person and reviewer; null: they wait for the agents. A given review, by its name, may not
 * be in the view yet.
 */
export function nextStep(view: DemoView, given: ReadonlySet<string>): DemoStep | null {
  return nextAnswer(view) ?? nextReview(view, given);
}

/** Names a review by its verdict and commit, so that it is given once. */
export function nameReview({ change, review }: Extract<DemoStep, { kind: "review" }>): string {
  return `${review.verdict} #${change.number} at ${change.head}`;
}

/** The first open question; one that the story does not know gets its first choice. */
function nextAnswer(view: DemoView): DemoStep | null {
  const item = view.inbox.find(({ kind }) => kind === "question");
  const session = view.sessions.find(({ id }) => id === item?.sessionId);
  if (item === undefined || session === undefined) return null;
  const known = STORY[session.issue ?? ""]?.answer;
  const isOffered = known !== undefined && (item.choices.length === 0 || item.choices.includes(known));
  const choice = isOffered ? known : (item.choices[0] ?? "yes");
  return { kind: "answer", sessionId: session.id, question: item.text, choice };
}

/** The review of the oldest pull request that is ready for one. */
function nextReview(view: DemoView, given: ReadonlySet<string>): DemoStep | null {
  const open = view.pullRequests.filter(({ phase }) => phase === "open").sort((a, b) => a.number - b.number);
  for (const change of open) {
    if (!isGreen(change) || change.status === "conflict" || change.approvals.includes(REVIEWER)) continue;
    const part = STORY[change.issue ?? ""] ?? {};
    const review = nextRequest(view, change, part) ?? nextApproval(view, change, part);
    if (review === null) continue;
    const step = { kind: "review", change, review: { ...review, head: change.head, author: REVIEWER } } as const;
    if (!given.has(nameReview(step))) return step;
  }
  return null;
}

/** Every required check passed on exactly this commit. */
function isGreen({ checks, head }: PullRequestView): boolean {
  const required = checks.filter((check) => check.required);
  return required.length > 0 && required.every((check) => check.state === "passed" && check.head === head);
}

function nextRequest(view: DemoView, change: PullRequestView, { request }: Part): ReviewBody | null {
  if (request === undefined || requestOf(view, change) !== undefined) return null;
  const { body, path, line, text } = request;
  return { verdict: "request-changes", body, comments: [{ path, line, text }] };
}

function nextApproval(view: DemoView, change: PullRequestView, { approveWhen }: Part): ReviewBody | null {
  // A requested change needs a new commit.
  if (requestOf(view, change)?.head === change.head) return null;
  if (approveWhen !== undefined) {
    const other = pullRequestOf(view, approveWhen.issue);
    if (other === null || (approveWhen.is === "merged" && other.phase !== "merged")) return null;
  }
  return { verdict: "approve", body: APPROVAL };
}

function requestOf(view: DemoView, change: PullRequestView): { readonly head: string } | undefined {
  return view.reviews[change.key]?.find(({ author, verdict }) => author === REVIEWER && verdict === "request-changes");
}
