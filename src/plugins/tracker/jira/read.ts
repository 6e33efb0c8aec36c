import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { normalizeIssue } from "../../../core/name.ts";
import type { Issue, IssueFilter, Tracker } from "../../../ports/tracker.ts";
import type { JiraClient } from "../../../providers/jira/client.ts";
import type { TrackerConfig } from "./config.ts";
import { jqlOf } from "./jql.ts";
import { findPerson } from "./people.ts";
import { FIELDS, JiraIssue, toIssue } from "./record.ts";

/** What every call of one tracker needs. */
export interface Access {
  readonly client: JiraClient;
  readonly config: TrackerConfig;
}

const PAGE = 100;
const Records = z.array(z.unknown());
const CloudPage = z.object({ issues: Records.nullish(), nextPageToken: z.string().nullish() });
const ServerPage = z.object({ issues: Records, total: z.number() });

/** The issues of the project, by number. */
export async function listIssues(access: Access, filter: IssueFilter): ReturnType<Tracker["list"]> {
  const { client, config } = access;
  const written = filter.assignee ?? config.assignee ?? null;
  const person = written === null || written === "me" ? written : await findPerson(client, written);
  if (written !== null && person === null) return { issues: [], problems: [] };
  const jql = jqlOf(config, filter, person);
  const isCloud = (await client.deployment()) === "cloud";
  const records = isCloud ? await searchCloud(client, jql) : await searchServer(client, jql);
  const problems: string[] = [];
  const found = records.flatMap((record): readonly JiraIssue[] => {
    const parsed = JiraIssue.safeParse(record);
    if (parsed.success) return [parsed.data];
    problems.push(describeProblem(record, parsed.error));
    return [];
  });
  const labels = [...config.labels, ...(filter.labels ?? [])].map((label) => label.toLowerCase());
  const wanted = found.filter(({ fields }) => {
    const own = fields.labels.map((label) => label.toLowerCase());
    return labels.every((label) => own.includes(label));
  });
  return { issues: wanted.sort(byNumber).map((issue) => toIssue(issue, client.baseUrl())), problems };
}

async function searchCloud(client: JiraClient, jql: string): Promise<unknown[]> {
  const records: unknown[] = [];
  let token: string | null | undefined;
  do {
    const body = { jql, fields: FIELDS, maxResults: PAGE, ...(token == null ? {} : { nextPageToken: token }) };
    const call = { method: "POST", path: "/search/jql", body, answer: CloudPage, isRead: true } as const;
    const { issues, nextPageToken } = await client.ask(call);
    records.push(...(issues ?? []));
    token = nextPageToken;
  } while (token != null);
  return records;
}

async function searchServer(client: JiraClient, jql: string): Promise<unknown[]> {
  const records: unknown[] = [];
  for (;;) {
    const body = { jql, fields: FIELDS, maxResults: PAGE, startAt: records.length };
    const call = { method: "POST", path: "/search", body, answer: ServerPage, isRead: true } as const;
    const { issues, total } = await client.ask(call);
    records.push(...issues);
    if (issues.length === 0 || records.length >= total) return records;
  }
}

/** Issues by key; omits missing ones. A search would fail for all keys because of one missing one. */
export async function getIssues(access: Access, ids: readonly string[]): Promise<readonly Issue[]> {
  const keys = [...new Set(ids.map((id) => fullKey(access.config, id)))];
  const found = await Promise.all(keys.map((key) => findRecord(access, key)));
  return found.flatMap((issue) => (issue === null ? [] : [toIssue(issue, access.client.baseUrl())]));
}

/** The record of an issue; null: not found. */
async function findRecord({ client }: Access, key: string): Promise<JiraIssue | null> {
  if (!/^[A-Z][A-Z0-9_]*-\d+$/.test(key)) return null;
  const query = { fields: FIELDS.join(",") };
  return client.ask({ method: "GET", path: `/issue/${key}`, query, answer: JiraIssue }).catch((error: unknown) => {
    if (error instanceof PluginError && error.category === "not-found") return null;
    throw error;
  });
}

/** The record of an issue, or an error if it is missing. */
export async function requireRecord(access: Access, id: string): Promise<JiraIssue> {
  const record = await findRecord(access, fullKey(access.config, id));
  if (record !== null) return record;
  throw new PluginError({
    plugin: "jira",
    code: "task-unknown",
    category: "not-found",
    message: `Jira has no issue ${id}.`,
    hint: "`ao issue list` shows what there is.",
  });
}

/** `eng-42` is `ENG-42`; a number alone belongs to the project. */
function fullKey({ project }: TrackerConfig, written: string): string {
  const id = normalizeIssue(written).toUpperCase();
  return /^\d+$/.test(id) ? `${project.toUpperCase()}-${id}` : id;
}

function byNumber(a: JiraIssue, b: JiraIssue): number {
  const numberOf = ({ key }: JiraIssue): number => Number(key.slice(key.lastIndexOf("-") + 1));
  return numberOf(a) - numberOf(b);
}

function describeProblem(record: unknown, error: z.ZodError): string {
  const { key } = (record ?? {}) as { readonly key?: unknown };
  const [first] = error.issues;
  const name = typeof key === "string" && key !== "" ? `issue ${key}` : "an issue without a key";
  return `${name} cannot be read: ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`.trim();
}
