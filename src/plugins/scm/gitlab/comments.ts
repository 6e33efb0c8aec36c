import type { ReportedComment, ReportedThread } from "../../../core/change/observation.ts";
import { readMark } from "../../../providers/forge/comment-mark.ts";
import type { DiscussionRecord, NoteRecord } from "./records.ts";

/** Threads that one person started together. */
export interface Batch {
  /** The id of the first thread. */
  readonly id: string;
  readonly author: string;
  readonly access: "write" | "none";
  readonly at: number;
  readonly until: number;
  readonly threads: readonly ReportedThread<string>[];
}

/** GitLab publishes the comments of a review one after another, and then its verdict; nothing links them. */
const TOGETHER_MS = 5000;

/** The threads, in the batches in which they were published, oldest first. */
export function batchesOf(said: {
  readonly discussions: readonly DiscussionRecord[];
  readonly isMember: (id: number) => boolean;
}): readonly Batch[] {
  const begun = said.discussions.flatMap((discussion) => toBatch(discussion, said.isMember));
  const batches: Batch[] = [];
  for (const one of begun.sort((a, b) => a.at - b.at)) {
    const index = batches.findLastIndex((batch) => batch.author === one.author && isTogether(batch, one.at));
    const known = batches[index];
    if (known === undefined) batches.push(one);
    else batches[index] = { ...known, until: one.at, threads: [...known.threads, ...one.threads] };
  }
  return batches;
}

/** Was something said along with this batch? */
export function isTogether({ at: from, until }: Batch, at: number): boolean {
  return at >= from - TOGETHER_MS && at <= until + TOGETHER_MS;
}

// Anyone may comment on a public project; words of people who may not push to it are marked.
function toBatch({ id, notes }: DiscussionRecord, isMember: (id: number) => boolean): readonly Batch[] {
  const [first, ...others] = notes.filter(({ system }) => !system);
  const said = (note: NoteRecord): ReportedComment<string> => toComment(note, isMember(note.author.id));
  if (first === undefined || said(first).byAgent) return [];
  const resolvable = notes.filter((note) => note.resolvable === true);
  const isResolved = resolvable.length > 0 && resolvable.every((note) => note.resolved === true);
  const resolver = resolvable.findLast((note) => note.resolved_by != null)?.resolved_by?.username;
  const comments = [first, ...others].map(said);
  const resolvedBy = isResolved ? (resolver ?? "somebody") : null;
  const stays = resolvable.length === 0 ? ({ isResolvable: false } as const) : {};
  const thread = { id, ...placeOf(first), resolvedBy, ...stays, comments };
  const at = timeOf(first);
  const access = isMember(first.author.id) ? "write" : "none";
  return [{ id, author: first.author.username, access, at, until: at, threads: [thread] }];
}

// Our mark counts only from someone with write access: anyone can copy it.
function toComment({ id, body, author }: NoteRecord, isMember: boolean): ReportedComment<string> {
  const { id: mark, text } = readMark(body);
  const isOwn = mark !== null && isMember;
  const access = isMember ? "write" : "none";
  return { id: isOwn ? mark : `note-${id}`, author: author.username, byAgent: isOwn, access, text };
}

/** The line of the diff that a note is about. */
export function placeOf({ position }: NoteRecord): { readonly path: string | null; readonly line: number | null } {
  return {
    path: position?.new_path ?? position?.old_path ?? null,
    line: position?.new_line ?? position?.old_line ?? null,
  };
}

export function timeOf({ created_at: at }: { readonly created_at: string }): number {
  return Date.parse(at);
}
