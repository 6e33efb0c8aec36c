import { normalizeIssue } from "../../../core/name.ts";
import { commentMark } from "../../../providers/forge/issue-text.ts";
import { keepNote } from "../../../providers/gitlab/keep-note.ts";
import type { Access } from "./read.ts";
import { unknownIssue } from "./write.ts";

/** Writes a comment, or edits the one that this account wrote under the same key. */
export async function writeComment(
  access: Access,
  id: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const path = `/projects/:id/issues/${normalizeIssue(id)}/notes`;
  const note = { path, text, mark: commentMark(key) };
  await keepNote(access.client, note).catch((error: { readonly category?: string }) => {
    throw error.category === "not-found" ? unknownIssue(access, id) : error;
  });
}
