import { createHash } from "node:crypto";
import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { COMMENT, CREATE_COMMENT, UPDATE_COMMENT } from "./queries.ts";
import { type Access, requireRecord } from "./read.ts";

const Done = z.unknown();
const Found = z.object({ comment: z.object({ id: z.string(), body: z.string() }) });

/** Writes a comment, or edits the one written under the same key. Linear lets the writer choose a comment's id. */
export async function writeComment(
  access: Access,
  issueId: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const { client } = access;
  const issue = await requireRecord(access, issueId);
  const id = idOf(`${issue.id}\n${key}`);
  const before = await client.ask({ query: COMMENT, variables: { id }, answer: Found }).catch((error: unknown) => {
    if (error instanceof PluginError && error.category === "not-found") return null;
    throw error;
  });
  if (before === null) {
    const input = { id, issueId: issue.id, body: text };
    await client.ask({ query: CREATE_COMMENT, variables: { input }, answer: Done });
  } else if (before.comment.body !== text) {
    await client.ask({ query: UPDATE_COMMENT, variables: { id, input: { body: text } }, answer: Done });
  }
}

/** The same id for the same text, as a UUID v4, which Linear requires. */
function idOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
