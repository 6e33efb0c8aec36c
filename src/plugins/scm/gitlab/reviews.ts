import type { z } from "zod";
import type { ReportedComment, ReportedReview } from "../../../core/change/observation.ts";
import { readMark } from "../../../providers/forge/comment-mark.ts";
import type { ApprovalsRecord, DiscussionRecord, NoteRecord, ReviewerRecord, VersionRecord } from "./records.ts";

/** What people said of a merge request, as GitLab has it. */
export interface Said {
  readonly discussions: readonly DiscussionRecord[];
  readonly approvals: z.infer<typeof ApprovalsRecord>["approved_by"];
  readonly reviewers: readonly z.infer<typeof ReviewerRecord>[];
  readonly versions: readonly z.infer<typeof VersionRecord>[];
  readonly isMember: (id: number) => boolean;
}

interface Timed {
  readonly at: number;
  readonly review: ReportedReview<string>;
}

// GitLab keeps who approves and who requests changes, but not of which commit; its own notes say when that was.
const APPROVED = "approved this merge request";
const WITHDRAWN = "unapproved this merge request";
const REQUESTED = "requested changes";

/** Reviews in the order in which they were given. Their ids follow from what GitLab keeps, so that a restart changes none. */
export function toReviews(said: Said): readonly ReportedReview<string>[] {
  const authors = new Map([...said.approvals, ...said.reviewers].map(({ user }) => [user.id, user.username]));
  for (const note of notesOf(said)) if (note.system) authors.set(note.author.id, note.author.username);
  const people = [...authors].filter(([id]) => said.isMember(id)).map(([id, name]) => ({ id, name }));
  const timed = [
    ...people.flatMap((person) => [...approvalsOf(said, person), ...requestsOf(said, person)]),
    ...said.discussions.flatMap((discussion) => commentOf(said, discussion)),
  ];
  return timed.sort((one, other) => one.at - other.at).map(({ review }) => review);
}

interface Person {
  readonly id: number;
  readonly name: string;
}

// An approval that was withdrawn counts as dismissed; the next one of the same commit is another review.
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

function requestsOf(said: Said, person: Person): readonly Timed[] {
  const state = said.reviewers.find(({ user }) => user.id === person.id)?.state;
  const isOpen = state === "requested_changes";
  const noted = timesOf(said, person, REQUESTED);
  const times = isOpen && noted.length === 0 ? [newestVersion(said)] : noted;
  return times.map((at, index) => {
    const isDismissed = !isOpen || index < times.length - 1;
    const { review } = verdictOf(said, person, { kind: "changes", at, index, isDismissed });
    return { at, review: { ...review, body: wordsOf(said, person, { after: times[index - 1] ?? 0, until: at }) } };
  });
}

interface Verdict {
  readonly kind: "approved" | "changes";
  readonly at: number;
  /** Which one of this person it is. */
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

// A request for changes has no words of its own: they are the comments that the person wrote before it.
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

// Anybody may comment on a public project: only words of people who may push to it reach an agent.
function commentOf(said: Said, { id, notes }: DiscussionRecord): readonly Timed[] {
  const [first, ...others] = notes.filter(({ system }) => !system);
  if (first === undefined || !said.isMember(first.author.id) || toComment(first).byAgent) return [];
  const at = timeOf(first);
  const resolvable = notes.filter((note) => note.resolvable === true);
  const isResolved = resolvable.length > 0 && resolvable.every((note) => note.resolved === true);
  const resolver = resolvable.findLast((note) => note.resolved_by != null)?.resolved_by?.username;
  const comments = [first, ...others.filter(({ author }) => said.isMember(author.id))].map(toComment);
  const resolvedBy = isResolved ? (resolver ?? "somebody") : null;
  const stays = resolvable.length === 0 ? ({ isResolvable: false } as const) : {};
  const thread = { id, ...placeOf(first), resolvedBy, ...stays, comments };
  const author = first.author.username;
  const review: ReportedReview<string> = {
    id: `discussion-${id}`,
    author,
    verdict: "comment",
    isDismissed: false,
    body: null,
    head: headAt(said, at),
    threads: [thread],
  };
  return [{ at, review }];
}

function toComment({ id, body, author }: NoteRecord): ReportedComment<string> {
  const { id: mark, text } = readMark(body);
  return { id: mark ?? `note-${id}`, author: author.username, byAgent: mark !== null, text };
}

function placeOf({ position }: NoteRecord): { readonly path: string | null; readonly line: number | null } {
  return {
    path: position?.new_path ?? position?.old_path ?? null,
    line: position?.new_line ?? position?.old_line ?? null,
  };
}

function notesOf({ discussions }: Said): readonly NoteRecord[] {
  return discussions.flatMap(({ notes }) => notes);
}

function timesOf(said: Said, { id }: Person, body: string): readonly number[] {
  const own = notesOf(said).filter((note) => note.system && note.author.id === id && note.body.trim() === body);
  return own.map(timeOf).sort((one, other) => one - other);
}

function timeOf({ created_at: at }: { readonly created_at: string }): number {
  return Date.parse(at);
}

function newestVersion({ versions }: Said): number {
  return Math.max(0, ...versions.map(timeOf));
}

/** The commit that the merge request had then. */
function headAt({ versions }: Said, at: number): string {
  const sorted = versions.toSorted((one, other) => timeOf(one) - timeOf(other));
  const then = sorted.findLast((version) => timeOf(version) <= at) ?? sorted[0];
  return then?.head_commit_sha ?? "";
}
