import type { z } from "zod";
import type { ReportedReview } from "../../../core/change/observation.ts";
import { readMark } from "../../../providers/forge/comment-mark.ts";
import { type Batch, batchesOf, isTogether, placeOf, timeOf } from "./comments.ts";
import type { ApprovalsRecord, DiscussionRecord, NoteRecord, ReviewerRecord, VersionRecord } from "./records.ts";

/** The discussion of a merge request, as GitLab stores it. */
export interface Said {
  readonly discussions: readonly DiscussionRecord[];
  readonly approvals: ApprovalsRecord["approved_by"];
  readonly reviewers: readonly z.infer<typeof ReviewerRecord>[];
  readonly versions: readonly z.infer<typeof VersionRecord>[];
  readonly isMember: (id: number) => boolean;
  readonly now: number;
}

export interface Reviews {
  /** In the order in which they were given. */
  readonly reviews: readonly ReportedReview<string>[];
  /** Some comments are left out because their verdict may follow in a moment. */
  readonly isIncomplete: boolean;
}

interface Timed {
  readonly at: number;
  readonly review: ReportedReview<string>;
}

// GitLab stores who approves and who requests changes, but not for which commit; its own notes show when that was.
const APPROVED = "approved this merge request";
const WITHDRAWN = "unapproved this merge request";
const REQUESTED = "requested changes";
const UNDECIDED: readonly string[] = ["unreviewed", "review_started"];

/** The ids of reviews follow from what GitLab stores, so that a restart changes none. */
export function toReviews(said: Said): Reviews {
  const authors = new Map([...said.approvals, ...said.reviewers].map(({ user }) => [user.id, user.username]));
  for (const note of notesOf(said)) if (note.system) authors.set(note.author.id, note.author.username);
  const people = [...authors].filter(([id]) => said.isMember(id)).map(([id, name]) => ({ id, name }));
  const batches = batchesOf(said);
  const requests = people.flatMap((person) => requestsOf(said, person, batches));
  const threadsOfRequests = new Set(requests.flatMap(({ review }) => review.threads));
  const alone = batches.filter(({ threads }) => !threads.some((thread) => threadsOfRequests.has(thread)));
  const ready = alone.filter((batch) => !mayGetVerdict(batch, said.now));
  const timed = [
    ...people.flatMap((person) => approvalsOf(said, person)),
    ...requests,
    ...ready.map((batch) => commentOf(said, batch)),
  ];
  const reviews = timed.sort((one, other) => one.at - other.at).map(({ review }) => review);
  return { reviews, isIncomplete: ready.length < alone.length };
}

// Comments that were reported without their verdict would be reported again with it.
function mayGetVerdict(batch: Batch, now: number): boolean {
  return batch.access === "write" && isTogether(batch, now);
}

interface Person {
  readonly id: number;
  readonly name: string;
}

// A withdrawn approval counts as dismissed; the next one of the same commit is another review.
function approvalsOf(said: Said, person: Person): readonly Timed[] {
  const approvedAt = timesOf(said, person, APPROVED);
  const withdrawn = timesOf(said, person, WITHDRAWN).flatMap((until, index) => {
    const at = approvedAt.findLast((time) => time <= until);
    return at === undefined ? [] : [verdictOf(said, person, { kind: "approved", at, index, isDismissed: true })];
  });
  const approval = said.approvals.find(({ user }) => user.id === person.id);
  if (approval === undefined) return withdrawn;
  const at = approval.approved_at == null ? approvedAt.at(-1) : Date.parse(approval.approved_at);
  const index = timesOf(said, person, WITHDRAWN).length;
  return [
    ...withdrawn,
    verdictOf(said, person, { kind: "approved", at: at ?? newestVersion(said), index, isDismissed: false }),
  ];
}

function requestsOf(said: Said, person: Person, batches: readonly Batch[]): readonly Timed[] {
  const state = said.reviewers.find(({ user }) => user.id === person.id)?.state;
  const noted = timesOf(said, person, REQUESTED);
  // Asking for another review resets the state; the requested changes still count until the reviewer approves.
  const isAskedAgain =
    UNDECIDED.includes(state ?? "") && (noted.at(-1) ?? 0) > (timesOf(said, person, APPROVED).at(-1) ?? 0);
  const isOpen = state === "requested_changes" || isAskedAgain;
  const times = isOpen && noted.length === 0 ? [newestVersion(said)] : noted;
  return times.map((at, index) => {
    const isDismissed = !isOpen || index < times.length - 1;
    const { review } = verdictOf(said, person, { kind: "changes", at, index, isDismissed });
    const { threads } = batches.find((batch) => batch.author === person.name && isTogether(batch, at)) ?? {
      threads: [],
    };
    const earlier = { after: times[index - 1] ?? 0, until: at };
    return { at, review: { ...review, threads, body: threads.length > 0 ? null : wordsOf(said, person, earlier) } };
  });
}

interface Verdict {
  readonly kind: "approved" | "changes";
  readonly at: number;
  /** The index among this person's. */
  readonly index: number;
  readonly isDismissed: boolean;
}

function verdictOf(said: Said, { name }: Person, { kind, at, index, isDismissed }: Verdict): Timed {
  const head = headAt(said, at);
  const review: ReportedReview<string> = {
    id: `${kind}-${name}-${head.slice(0, 12)}-${index}`,
    author: name,
    verdict: kind === "approved" ? "approve" : "request-changes",
    isDismissed,
    body: null,
    head,
    threads: [],
  };
  return { at, review };
}

// A request for changes without its own comments is about those that the person wrote before it.
function wordsOf(
  said: Said,
  { id }: Person,
  { after, until }: { readonly after: number; readonly until: number },
): string | null {
  const own = notesOf(said).filter(
    ({ system, author, body }) => !system && author.id === id && readMark(body).id === null,
  );
  const written = own.filter((note) => timeOf(note) > after && timeOf(note) <= until);
  const words = written.map((note) => {
    const { path, line } = placeOf(note);
    return path === null ? note.body : `${path}${line === null ? "" : `:${line}`}: ${note.body}`;
  });
  return words.length === 0 ? null : words.join("\n\n");
}

function commentOf(said: Said, { id, author, access, at, threads }: Batch): Timed {
  const review: ReportedReview<string> = {
    id: `discussion-${id}`,
    author,
    access,
    verdict: "comment",
    isDismissed: false,
    body: null,
    head: headAt(said, at),
    threads,
  };
  return { at, review };
}

function notesOf({ discussions }: Said): readonly NoteRecord[] {
  return discussions.flatMap(({ notes }) => notes);
}

function timesOf(said: Said, { id }: Person, body: string): readonly number[] {
  const own = notesOf(said).filter((note) => note.system && note.author.id === id && note.body.trim() === body);
  return own.map(timeOf).sort((one, other) => one - other);
}

function newestVersion({ versions }: Said): number {
  return Math.max(0, ...versions.map(timeOf));
}

/** The merge request's commit at that time. */
function headAt({ versions }: Said, at: number): string {
  const sorted = versions.toSorted((one, other) => timeOf(one) - timeOf(other));
  const then = sorted.findLast((version) => timeOf(version) <= at) ?? sorted[0];
  return then?.head_commit_sha ?? "";
}
