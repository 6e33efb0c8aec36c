import { z } from "zod";
import type { Issue } from "../../../ports/tracker.ts";
import { dependenciesInText, splitLabels } from "../../../providers/forge/issue-text.ts";

/** An issue in a GitLab answer; other fields are ignored. */
export const GitlabIssue = z.object({
  id: z.number(),
  iid: z.number(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  assignees: z.array(z.object({ username: z.string() })).nullish(),
  web_url: z.string(),
  author: z.object({ id: z.number(), username: z.string() }).nullish(),
  moved_to_id: z.union([z.number(), z.string()]).nullish(),
  /** How many issues it blocks; only with GitLab Premium. */
  blocking_issues_count: z.number().nullish(),
});

export type GitlabIssue = z.infer<typeof GitlabIssue>;

export function labelNames({ labels }: GitlabIssue): readonly string[] {
  return labels.map((label) => (typeof label === "string" ? label : label.name));
}

/** An issue of the port, without its author's access. `blockedBy` are GitLab's own links; those in the text are added. */
export function toIssue(issue: GitlabIssue, prefix: string, blockedBy: readonly string[]): Issue {
  const body = issue.description ?? "";
  return {
    id: String(issue.iid),
    title: issue.title,
    body,
    state: issue.state === "closed" ? "closed" : "open",
    ...splitLabels(labelNames(issue), prefix),
    dependsOn: [...new Set([...blockedBy, ...dependenciesInText(body)])],
    assignee: issue.assignees?.[0]?.username ?? null,
    url: issue.web_url,
    author: { name: issue.author?.username ?? "ghost" },
  };
}
