import { z } from "zod";
import { MERGE_STRATEGIES } from "../core/merge/strategy.ts";

const MAX_TEXT_BYTES = 64 * 1024;
const MAX_COMMENTS = 100;
// Names and labels stand in lists and in messages to agents: one line, nothing that steers a terminal.
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/;

const text = z
  .string()
  .refine((value) => Buffer.byteLength(value) <= MAX_TEXT_BYTES, "larger than 64 KiB")
  .refine((value) => value.trim() !== "", "empty");
const author = line(100);
const strategy = z.enum(MERGE_STRATEGIES);
const labels = z.array(line(100)).max(50);

export const OpenPullRequest = z.strictObject({ title: line(1000).optional(), body: text.optional() });
export const Approve = z.strictObject({
  body: text.optional(),
  head: commit().optional(),
  author: author.optional(),
});
export const Review = z.strictObject({
  verdict: z.enum(["approve", "request-changes", "comment"]),
  body: text.optional(),
  comments: z
    .array(z.strictObject({ path: line(1000), line: z.number().int().min(1).max(10_000_000).optional(), text }))
    .max(MAX_COMMENTS)
    .optional(),
  head: commit().optional(),
  author: author.optional(),
});
export const Merge = z.strictObject({ strategy: strategy.optional(), wait: z.boolean().optional() });
export const Close = z.strictObject({ reason: line(1000).optional() });
export const Rerun = z.strictObject({ check: line(200).optional() });
export const Labels = z.strictObject({ add: labels.optional(), remove: labels.optional() });
export const Reply = z.strictObject({ text, author: author.optional() });
export const AgentReply = z.strictObject({ thread: line(200), text });
export const Resolve = z.strictObject({ resolved: z.boolean().optional() });
export const Acknowledge = z.strictObject({ id: line(500) });
export const TestNotifier = z.strictObject({ notifier: line(200).optional() });
export const NewLink = z.strictObject({ session: line(500).optional() });

function line(max: number): z.ZodType<string> {
  return z.string().trim().min(1).max(max).regex(ONE_LINE, "not one line of text");
}

function commit(): z.ZodType<string> {
  return z.string().regex(/^[0-9a-f]{7,64}$/, "not a commit: 7 or more of its hexadecimal digits");
}
