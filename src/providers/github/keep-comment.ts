import { z } from "zod";
import type { GithubClient } from "./client.ts";

const Comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});

const Viewer = z.object({ viewer: z.object({ login: z.string() }) });

interface KeptComment {
  readonly repository: { readonly owner: string; readonly repo: string };
  /** The number of an issue or pull request. */
  readonly number: number;
  readonly text: string;
  /** Ends the comment, so that it can be found again. */
  readonly mark: string;
}

/** Writes a comment, or edits the one that this account wrote with the same mark; repeating it adds no second one. */
export async function keepComment(
  client: GithubClient,
  { repository, number, text, mark }: KeptComment,
): Promise<void> {
  const body = `${text}\n\n${mark}`;
  const parameters = { ...repository, issue_number: number };
  const route = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const records = await client.pages({ route: `GET ${route}`, parameters });
  const marked = records.flatMap((record) => {
    const parsed = Comment.safeParse(record);
    return parsed.success && parsed.data.body?.endsWith(mark) === true ? [parsed.data] : [];
  });
  // Anyone can copy the mark; only our own comment is ours to edit.
  const login = marked.length === 0 ? null : await readLogin(client);
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

// Uses GraphQL: a GitHub App installation has no user in the REST API.
async function readLogin(client: GithubClient): Promise<string> {
  return (await client.graphql({ query: "{ viewer { login } }", variables: {}, answer: Viewer })).data.viewer.login;
}
