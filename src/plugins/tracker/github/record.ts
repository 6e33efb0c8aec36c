import { z } from "zod";
import type { Issue, IssueAuthor } from "../../../ports/tracker.ts";
import { dependenciesInText, splitLabels } from "../../../providers/forge/issue-text.ts";
import { accessBy } from "../../../providers/github/access.ts";

/** An issue in a REST API answer; other fields are ignored. */
export const RestIssue = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  html_url: z.string(),
  pull_request: z.unknown().optional(),
  user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
  author_association: z.string().nullish(),
  issue_dependencies_summary: z.object({ total_blocked_by: z.number() }).nullish(),
});

export type RestIssue = z.infer<typeof RestIssue>;

/** An issue in the answer to the query by numbers. */
export const GraphqlIssue = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  state: z.string(),
  url: z.string(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
  assignees: z.object({ nodes: z.array(z.object({ login: z.string() })) }),
  author: z.object({ login: z.string(), __typename: z.string() }).nullish(),
  authorAssociation: z.string().nullish(),
});

export type GraphqlIssue = z.infer<typeof GraphqlIssue>;

interface Written {
  /** Absent: the account was deleted. */
  readonly login: string | undefined;
  readonly kind: string | null | undefined;
  readonly association: string | null | undefined;
}

// An app needs the owner's permission to write here, as for comments.
function authorOf({ login, kind, association }: Written): IssueAuthor {
  return { name: login ?? "ghost", access: kind === "Bot" ? "write" : accessBy(association) };
}

export function labelNames(issue: RestIssue): readonly string[] {
  return issue.labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? [])));
}

/** An issue of the port. `blockedBy` are GitHub's own dependencies; those in the text are added. */
export function fromRest(issue: RestIssue, prefix: string, blockedBy: readonly string[]): Issue {
  const body = issue.body ?? "";
  return {
    id: String(issue.number),
    title: issue.title,
    body,
    state: issue.state === "closed" ? "closed" : "open",
    ...splitLabels(labelNames(issue), prefix),
    dependsOn: [...new Set([...blockedBy, ...dependenciesInText(body)])],
    assignee: issue.assignees?.[0]?.login ?? null,
    url: issue.html_url,
    author: authorOf({ login: issue.user?.login, kind: issue.user?.type, association: issue.author_association }),
  };
}

export function fromGraphql(issue: GraphqlIssue, prefix: string, blockedBy: readonly string[]): Issue {
  const names = issue.labels?.nodes.map(({ name }) => name) ?? [];
  return {
    id: String(issue.number),
    title: issue.title,
    body: issue.body,
    state: issue.state === "CLOSED" ? "closed" : "open",
    ...splitLabels(names, prefix),
    dependsOn: [...new Set([...blockedBy, ...dependenciesInText(issue.body)])],
    assignee: issue.assignees.nodes[0]?.login ?? null,
    url: issue.url,
    author: authorOf({
      login: issue.author?.login,
      kind: issue.author?.__typename,
      association: issue.authorAssociation,
    }),
  };
}
