import { z } from "zod";
import { normalizeIssue } from "../../../core/name.ts";
import { commentMark } from "../../../providers/forge/issue-text.ts";
import type { Access } from "./read.ts";
import { unknownIssue } from "./write.ts";

const User = z.object({ id: z.number() });
const Note = z.object({ id: z.number(), body: z.string(), author: User.nullish(), system: z.boolean().nullish() });

/** Writes a comment, or edits the one that this account wrote under the same key. */
export async function writeComment(
  access: Access,
  id: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const { client } = access;
  const mark = commentMark(key);
  const body = `${text}\n\n${mark}`;
  const path = `/projects/:id/issues/${normalizeIssue(id)}/notes`;
  const records = await client
    .pages({ path, query: { sort: "asc", order_by: "created_at" } })
    .catch((error: { readonly category?: string }) => {
      throw error.category === "not-found" ? unknownIssue(access, id) : error;
    });
  const marked = records.flatMap((record) => {
    const parsed = Note.safeParse(record);
    return parsed.success && parsed.data.body.endsWith(mark) ? [parsed.data] : [];
  });
  // Anybody can copy the mark; only our own comment is ours to edit.
  const self = marked.length === 0 ? null : (await client.read({ path: "/user", answer: User })).id;
  const own = marked.find(({ author }) => author?.id === self);
  if (own === undefined) await client.write({ method: "POST", path, body: { body }, answer: Note });
  else if (own.body !== body) {
    await client.write({ method: "PUT", path: `${path}/${own.id}`, body: { body }, answer: Note });
  }
}
