import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { normalizeIssue } from "../../../core/name.ts";
import type { Issue, IssueAuthor, IssueFilter, Tracker } from "../../../ports/tracker.ts";
import type { GitlabClient } from "../../../providers/gitlab/client.ts";
import { mayPush } from "../../../providers/gitlab/members.ts";
import type { TrackerConfig } from "./config.ts";
import { GitlabIssue, labelNames, toIssue } from "./record.ts";

/** What every call of one tracker needs. */
export interface Access {
  readonly client: GitlabClient;
  readonly config: TrackerConfig;
}

const ISSUES = "/projects/:id/issues";
const MAX_NUMBER = 2 ** 31 - 1;
/** Maximum issues per request; more would make the URL too long. */
const BATCH = 50;

/** The issues of the project, by number. */
export async function listIssues(access: Access, filter: IssueFilter): ReturnType<Tracker["list"]> {
  const { client, config } = access;
  const labels = [...config.labels, ...(filter.labels ?? [])];
  const records = await client.pages({
    path: ISSUES,
    query: {
      state: filter.state === undefined ? "all" : filter.state === "open" ? "opened" : "closed",
      order_by: "created_at",
      sort: "asc",
      labels: await spellLabels(access, labels),
      assignee_username: filter.assignee ?? config.assignee,
    },
  });
  const problems: string[] = [];
  const found = records.flatMap((record): readonly GitlabIssue[] => {
    const parsed = GitlabIssue.safeParse(record);
    if (parsed.success) return [parsed.data];
    problems.push(describeProblem(record, parsed.error));
    return [];
  });
  const wanted = found.filter((issue) => hasLabels(issue, labels));
  const blockers = await readBlocked(access, wanted);
  const issues = wanted.map((issue) => toIssue(issue, config.priorityLabel, blockers.get(issue.iid) ?? []));
  return { issues: issues.sort((a, b) => Number(a.id) - Number(b.id)), problems };
}

const Label = z.object({ name: z.string() });

/**
 * GitLab compares labels exactly: each is requested in the project's spelling. A label with several spellings can only
 * be compared here.
 */
async function spellLabels({ client }: Access, labels: readonly string[]): Promise<string | undefined> {
  const names: string[] = [];
  for (const wanted of labels) {
    const records = await client.pages({ path: "/projects/:id/labels", query: { search: wanted } });
    const same = records
      .flatMap((record) => Label.safeParse(record).data ?? [])
      .filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    const [only] = same;
    if (same.length === 1 && only !== undefined) names.push(only.name);
  }
  return names.length === 0 ? undefined : names.join(",");
}

/** Issues by number; omits missing ones. */
export async function getIssues(access: Access, ids: readonly string[]): Promise<readonly Issue[]> {
  const { client } = access;
  const numbers = [...new Set(ids.map(normalizeIssue))].filter((id) => /^\d+$/.test(id) && Number(id) <= MAX_NUMBER);
  const issues: Issue[] = [];
  for (let from = 0; from < numbers.length; from += BATCH) {
    const iids = numbers.slice(from, from + BATCH);
    const found = await client.read({ path: ISSUES, query: { iids, per_page: BATCH }, answer: z.array(GitlabIssue) });
    for (const issue of found) {
      issues.push(await toWholeIssue(access, issue, blockersIn(await readLinks(access, issue.iid))));
    }
  }
  return issues;
}

/** An issue of the port with its author's access, which takes a call of its own. */
export async function toWholeIssue(access: Access, issue: GitlabIssue, blockedBy: readonly string[]): Promise<Issue> {
  return { ...toIssue(issue, access.config.priorityLabel, blockedBy), author: await readAuthor(access, issue) };
}

async function readAuthor(access: Access, { author }: GitlabIssue): Promise<IssueAuthor> {
  if (author == null) return { name: "ghost", access: "none" };
  // A token that may not see the members knows nobody.
  const hasAccess = await mayPush(access, author.id).catch((error: unknown) => {
    if (error instanceof PluginError && error.category === "auth") return false;
    throw error;
  });
  return { name: author.username, access: hasAccess ? "write" : "none" };
}

const Link = z.object({ iid: z.number(), issue_link_id: z.number(), link_type: z.string() });

export type Link = z.infer<typeof Link>;

/** The links of an issue to others of its project. */
export async function readLinks({ client }: Access, iid: number): Promise<readonly Link[]> {
  const records = await client.pages({ path: `${ISSUES}/${iid}/links` });
  return records.flatMap((record) => Link.safeParse(record).data ?? []);
}

export function blockersIn(links: readonly Link[]): readonly string[] {
  return links.filter(({ link_type: type }) => type === "is_blocked_by").map(({ iid }) => String(iid));
}

/** What blocks the issues of a list, read from the blocking ones: GitLab counts only these, and they are few. */
async function readBlocked(access: Access, issues: readonly GitlabIssue[]): Promise<ReadonlyMap<number, string[]>> {
  const blockers = new Map<number, string[]>();
  for (const { iid, blocking_issues_count: count } of issues) {
    if ((count ?? 0) === 0) continue;
    for (const link of await readLinks(access, iid)) {
      if (link.link_type === "blocks") blockers.set(link.iid, [...(blockers.get(link.iid) ?? []), String(iid)]);
    }
  }
  return blockers;
}

function hasLabels(issue: GitlabIssue, wanted: readonly string[]): boolean {
  const names = labelNames(issue).map((name) => name.toLowerCase());
  return wanted.every((name) => names.includes(name.toLowerCase()));
}

function describeProblem(record: unknown, error: z.ZodError): string {
  const { iid } = (record ?? {}) as { readonly iid?: unknown };
  const name = typeof iid === "number" ? `issue #${iid}` : "an issue without a number";
  const [first] = error.issues;
  return `${name} cannot be read: ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`.trim();
}
