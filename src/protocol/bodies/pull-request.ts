import { z } from "zod";
import { MERGE_STRATEGIES } from "../../core/merge/strategy.ts";
import type { View } from "../views/view.ts";
import { comment, commit, line } from "./text.ts";

const MAX_COMMENTS = 100;

const author = line(100).exactOptional().describe("Record it under this name; default: the user of the machine.");
const head = commit.exactOptional().describe("Refused when the pull request has moved on from this commit.");
const labels = z.array(line(100)).max(50).exactOptional();

export const ReviewBody = z
  .strictObject({
    verdict: z.enum(["approve", "request-changes", "comment"]),
    body: comment.exactOptional(),
    comments: z
      .array(
        z.strictObject({
          path: line(1000),
          line: z.int().min(1).max(10_000_000).exactOptional(),
          text: comment,
        }),
      )
      .max(MAX_COMMENTS)
      .exactOptional(),
    head,
    author,
  })
  .meta({ id: "ReviewBody" });
export type ReviewBody = View<typeof ReviewBody>;

export const OpenPullRequestBody = z.strictObject({
  title: line(1000).exactOptional(),
  body: comment.exactOptional(),
});
export const ApproveBody = z.strictObject({ body: comment.exactOptional(), head, author });
export const MergeBody = z.strictObject({
  strategy: z.enum(MERGE_STRATEGIES).exactOptional(),
  override: line(1000)
    .exactOptional()
    .describe(
      "Merge against the project's own rules (approvals, labels, paths, size, quiet hours, rules), for this reason.",
    ),
  wait: z.boolean().exactOptional().describe("Answer once it is merged, or blocked on a person."),
});
export const BaseBody = z.strictObject({ base: line(250).describe("The project's default branch.") });
export const CloseBody = z.strictObject({ reason: line(1000).exactOptional() });
export const RerunBody = z.strictObject({ check: line(200).exactOptional().describe("Default: all checks.") });
export const LabelsBody = z.strictObject({ add: labels, remove: labels });
export const ReplyBody = z.strictObject({ text: comment, author });
export const AgentReplyBody = z.strictObject({ thread: line(200), text: comment });
export const ResolveBody = z.strictObject({
  resolved: z.boolean().exactOptional().describe("false: reopen the thread."),
});
