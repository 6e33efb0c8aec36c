import { z } from "zod";
import { normalizeIssue } from "../../../core/name.ts";
import { commentMark } from "../../../providers/forge/issue-text.ts";
import type { Access } from "./read.ts";
import { unknownIssue } from "./write.ts";

const Account = z.object({ login: z.string() });
const Comment = z.object({ id: z.number(), body: z.string().nullish(), user: Account.nullish() });

/** Writes a comment, or edits the one that this account wrote under the same key. */
export async function writeComment(
  access: Access,
  id: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const { client, repository } = access;
  const mark = commentMark(key);
  const body = `${text}\n\n${mark}`;
  const parameters = { ...repository, issue_number: Number(normalizeIssue(id)) };
  const route = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const records = await client
    .pages({ route: `GET ${route}`, parameters })
    .catch((error: { readonly category?: string }) => {
      throw error.category === "not-found" ? unknownIssue(repository, id) : error;
    });
  const marked = records.flatMap((record) => {
    const parsed = Comment.safeParse(record);
    return parsed.success && parsed.data.body?.endsWith(mark) === true ? [parsed.data] : [];
  });
  // Anybody can copy the mark; only our own comment is ours to edit.
  const login = marked.length === 0 ? null : await readLogin(access);
  const own = marked.find(({ user }) => user?.login === login);
  if (own === undefined) {
    await client.rest({ route: `POST ${route}`, parameters: { ...parameters, body }, answer: Comment });
  } else if (own.body !== body) {
    const edit = { ...repository, comment_id: own.id, body };
    await client.rest({
      route: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
      parameters: edit,
      answer: Comment,
    });
  }
}

async function readLogin({ client }: Access): Promise<string> {
  return (await client.rest({ route: "GET /user", answer: Account })).login;
}
