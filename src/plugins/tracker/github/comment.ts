import { normalizeIssue } from "../../../core/name.ts";
import { commentMark } from "../../../providers/forge/issue-text.ts";
import { keepComment } from "../../../providers/github/keep-comment.ts";
import type { Access } from "./read.ts";
import { unknownIssue } from "./write.ts";

/** Writes a comment, or edits the one that this account wrote under the same key. */
export async function writeComment(
  { client, repository }: Access,
  id: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const kept = { repository, number: Number(normalizeIssue(id)), text, mark: commentMark(key) };
  await keepComment(client, kept).catch((error: { readonly category?: string }) => {
    throw error.category === "not-found" ? unknownIssue(repository, id) : error;
  });
}
