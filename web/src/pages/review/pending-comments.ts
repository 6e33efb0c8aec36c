import { keepDraft, readDraft } from "../../lib/drafts.ts";

/** A comment to be sent with the next verdict. */
export interface PendingComment {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** The commit that was on screen when it was written. */
  readonly head: string;
}

/** What was stored on an earlier visit; anything else there is ignored. */
export function readPending(key: string, read: (name: string) => string = readDraft): readonly PendingComment[] {
  try {
    const kept: unknown = JSON.parse(read(`review.${key}`) || "[]");
    return Array.isArray(kept) ? kept.filter(isPending) : [];
  } catch {
    return [];
  }
}

export function keepPending(key: string, comments: readonly PendingComment[]): void {
  keepDraft(`review.${key}`, comments.length === 0 ? "" : JSON.stringify(comments));
}

function isPending(value: unknown): value is PendingComment {
  if (typeof value !== "object" || value === null) return false;
  const { id, path, line, text, head } = value as Partial<PendingComment>;
  return [id, path, text, head].every((part) => typeof part === "string") && Number.isInteger(line);
}
