import { createHash } from "node:crypto";
import { z } from "zod";
import { toAdf } from "./adf.ts";
import { type Access, requireRecord } from "./read.ts";
import { Person, readText, Text } from "./record.ts";

const PAGE = 100;
const Done = z.unknown();
const Comments = z.object({
  comments: z.array(z.object({ id: z.string(), body: Text, author: Person.nullish() })),
  total: z.number(),
});

type Comment = z.infer<typeof Comments>["comments"][number];

/** Writes a comment, or edits the one that this account wrote under the same key. */
export async function writeComment(
  access: Access,
  id: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const { client } = access;
  const issue = await requireRecord(access, id);
  const path = `/issue/${issue.key}/comment`;
  const mark = `ao-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;
  const body = (await client.deployment()) === "cloud" ? documentOf(text, mark) : wikiOf(text, mark);
  const marked = (await readComments(access, path)).filter((one) => JSON.stringify(one.body ?? "").includes(mark));
  // Anyone can copy the mark; only our own comment is ours to edit.
  const me = marked.length === 0 ? null : await client.ask({ method: "GET", path: "/myself", answer: Person });
  const isOwn = ({ author }: Comment): boolean =>
    (author?.accountId ?? author?.name ?? null) === (me?.accountId ?? me?.name);
  const own = marked.find(isOwn);
  if (own === undefined) await client.ask({ method: "POST", path, body: { body }, answer: Done });
  else if (readText(own.body) !== readText(body)) {
    await client.ask({ method: "PUT", path: `${path}/${own.id}`, body: { body }, answer: Done });
  }
}

async function readComments({ client }: Access, path: string): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  for (;;) {
    const query = { startAt: String(found.length), maxResults: String(PAGE) };
    const { comments, total } = await client.ask({ method: "GET", path, query, answer: Comments });
    found.push(...comments);
    if (comments.length === 0 || found.length >= total) return found;
  }
}

/** Documents cannot hide anything: the mark is a small last line. */
function documentOf(text: string, mark: string): ReturnType<typeof toAdf> {
  const document = toAdf(text);
  const small = { type: "text", text: mark, marks: [{ type: "subsup", attrs: { type: "sub" } }] };
  return { ...document, content: [...(document.content ?? []), { type: "paragraph", content: [small] }] };
}

/** An anchor is invisible. */
function wikiOf(text: string, mark: string): string {
  const wiki = text.replace(/\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g, "[$1|$2]").replace(/`([^`]+)`/g, "{{$1}}");
  return `${wiki}{anchor:${mark}}`;
}
