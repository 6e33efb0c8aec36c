import { z } from "zod";
import { normalizeIssue } from "../../../core/name.ts";
import type { Issue, IssueFilter, Tracker } from "../../../ports/tracker.ts";
import type { GithubClient } from "../../../providers/github/client.ts";
import type { TrackerConfig } from "./config.ts";
import { fromGraphql, fromRest, GraphqlIssue, labelNames, RestIssue } from "./record.ts";

/** What every call of one tracker needs. */
export interface Access {
  readonly client: GithubClient;
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly config: TrackerConfig;
}

const ISSUES = "/repos/{owner}/{repo}/issues";
const MAX_NUMBER = 2 ** 31 - 1;
/** Maximum issues per query; more would make one query too expensive. */
const BATCH = 50;

/** The issues of the repository, by number; omits pull requests, which GitHub lists among them. */
export async function listIssues(access: Access, filter: IssueFilter): ReturnType<Tracker["list"]> {
  const { client, repository, config } = access;
  const labels = [...config.labels, ...(filter.labels ?? [])];
  const assignee = filter.assignee ?? config.assignee;
  // GitHub separates labels by commas: a label with a comma can only be compared here.
  const asked = labels.filter((name) => !name.includes(","));
  const parameters = {
    ...repository,
    state: filter.state ?? "all",
    sort: "created",
    direction: "asc",
    ...(asked.length === 0 ? {} : { labels: asked.join(",") }),
    ...(assignee === undefined ? {} : { assignee }),
  };
  const records = await client.pages({ route: `GET ${ISSUES}`, parameters });
  const problems: string[] = [];
  const found = records.flatMap((record): readonly RestIssue[] => {
    const parsed = RestIssue.safeParse(record);
    if (parsed.success) return [parsed.data];
    problems.push(describeProblem(record, parsed.error));
    return [];
  });
  const wanted = found.filter((issue) => issue.pull_request === undefined && hasLabels(issue, labels));
  const issues = await Promise.all(wanted.map((issue) => completeIssue(access, issue)));
  return { issues: issues.sort((a, b) => Number(a.id) - Number(b.id)), problems };
}

/** Issues by number in one query; omits missing ones and pull requests. */
export async function getIssues(access: Access, ids: readonly string[]): Promise<readonly Issue[]> {
  const numbers = [...new Set(ids.map(normalizeIssue))].filter((id) => /^\d+$/.test(id) && Number(id) <= MAX_NUMBER);
  const issues: Issue[] = [];
  for (let from = 0; from < numbers.length; from += BATCH) {
    issues.push(...(await getBatch(access, numbers.slice(from, from + BATCH))));
  }
  return issues;
}

const Found = z.object({ repository: z.record(z.string(), GraphqlIssue.nullable()) });

async function getBatch(access: Access, numbers: readonly string[]): Promise<readonly Issue[]> {
  const { client, repository, config } = access;
  const fields = numbers.map((number) => `i${number}: issue(number: ${number}) { ...fields }`).join("\n");
  const query = `query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { ${fields} } }
    fragment fields on Issue {
      number title body state url labels(first: 100) { nodes { name } } assignees(first: 1) { nodes { login } }
      author { login __typename } authorAssociation
    }`;
  const { data } = await client.graphql({ query, variables: repository, answer: Found });
  const found = Object.values(data.repository).flatMap((issue) => issue ?? []);
  return Promise.all(
    found.map(async (issue) => fromGraphql(issue, config.priorityLabel, await readBlockers(access, issue.number))),
  );
}

/** An issue with the numbers of the issues that block it. */
export async function completeIssue(access: Access, issue: RestIssue): Promise<Issue> {
  const count = issue.issue_dependencies_summary?.total_blocked_by ?? 0;
  const blockedBy = count === 0 ? [] : await readBlockers(access, issue.number);
  return fromRest(issue, access.config.priorityLabel, blockedBy);
}

/** Numbers of the issues that block one, according to GitHub; empty on a server without this feature. */
export async function readBlockers({ client, repository }: Access, number: number): Promise<readonly string[]> {
  const parameters = { ...repository, issue_number: number };
  const route = `GET ${ISSUES}/{issue_number}/dependencies/blocked_by`;
  const records = await client.pages({ route, parameters }).catch((error: { readonly category?: string }) => {
    if (error.category === "not-found") return [];
    throw error;
  });
  return records.flatMap((record) => {
    const parsed = RestIssue.safeParse(record);
    return parsed.success ? [String(parsed.data.number)] : [];
  });
}

function hasLabels(issue: RestIssue, wanted: readonly string[]): boolean {
  const names = labelNames(issue).map((name) => name.toLowerCase());
  return wanted.every((name) => names.includes(name.toLowerCase()));
}

function describeProblem(record: unknown, error: z.ZodError): string {
  const { number } = (record ?? {}) as { readonly number?: unknown };
  const name = typeof number === "number" ? `issue #${number}` : "an issue without a number";
  const [first] = error.issues;
  return `${name} cannot be read: ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`.trim();
}
