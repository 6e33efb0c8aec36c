import { z } from "zod";
import type { GitlabClient } from "./client.ts";

const User = z.object({ id: z.number() });
const Note = z.object({ id: z.number(), body: z.string(), author: User.nullish(), system: z.boolean().nullish() });

interface KeptNote {
  /** The notes of an issue or a merge request. */
  readonly path: string;
  readonly text: string;
  /** Ends the note, so that it can be found again. */
  readonly mark: string;
}

/** Writes a note, or edits the one that this account wrote with the same mark; repeating it adds no second one. */
export async function keepNote(client: GitlabClient, { path, text, mark }: KeptNote): Promise<void> {
  const body = `${text}\n\n${mark}`;
  const records = await client.pages({ path, query: { sort: "asc", order_by: "created_at" } });
  const marked = records.flatMap((record) => {
    const parsed = Note.safeParse(record);
    return parsed.success && parsed.data.body.endsWith(mark) ? [parsed.data] : [];
  });
  // Anyone can copy the mark; only our own note is ours to edit.
  const self = marked.length === 0 ? null : (await client.read({ path: "/user", answer: User })).id;
  const own = marked.find(({ author }) => author?.id === self);
  if (own === undefined) await client.write({ method: "POST", path, body: { body }, answer: Note });
  else if (own.body !== body) {
    await client.write({ method: "PUT", path: `${path}/${own.id}`, body: { body }, answer: Note });
  }
}
