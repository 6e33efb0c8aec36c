import type { WorkStage } from "../../../core/task/work-stage.ts";
import type { Access } from "./read.ts";
import { GitlabIssue, labelNames } from "./record.ts";
import { requireIssue } from "./write.ts";

/** Shows the stage of the work by a label. Leaves an issue alone that is closed or already further. */
export async function moveIssue(access: Access, id: string, stage: WorkStage): Promise<void> {
  const { working, review } = access.config.states;
  const wanted = stage === "working" ? working : review;
  if (wanted === undefined) return;
  const issue = await requireIssue(access, id);
  const names = labelNames(issue);
  const isFurther = stage === "working" && review !== undefined && names.includes(review);
  if (issue.state === "closed" || isFurther || names.includes(wanted)) return;
  const before = stage === "review" && working !== undefined && names.includes(working) ? working : undefined;
  await access.client.write({
    method: "PUT",
    path: `/projects/:id/issues/${issue.iid}`,
    body: { add_labels: wanted, ...(before === undefined ? {} : { remove_labels: before }) },
    answer: GitlabIssue,
  });
}
