import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { normalizeIssue } from "../../../core/name.ts";
import type { Issue, IssueFilter, Tracker } from "../../../ports/tracker.ts";
import type { LinearClient } from "../../../providers/linear/client.ts";
import { completeIssue } from "./complete-issue.ts";
import type { TrackerConfig } from "./config.ts";
import { LIST } from "./queries.ts";
import { CLOSED, LinearIssue, toIssue } from "./record.ts";

/** What every call of one tracker needs. */
export interface Access {
  readonly client: LinearClient;
  readonly config: TrackerConfig;
}

type Filter = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const Page = z.object({
  issues: z.object({
    nodes: z.array(z.unknown()),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});

/** The issues of the team, by number. */
export async function listIssues({ client, config }: Access, filter: IssueFilter): ReturnType<Tracker["list"]> {
  const records = await readPages(client, { filter: filterOf(config, filter) });
  const problems: string[] = [];
  const found = records.flatMap((record): readonly LinearIssue[] => {
    const parsed = LinearIssue.safeParse(record);
    if (parsed.success) return [parsed.data];
    problems.push(describeProblem(record, parsed.error));
    return [];
  });
  return { issues: found.sort(byKeyAndNumber).map(toIssue), problems };
}

/** Issues by id; omits missing ones, throws for unreadable ones. */
export async function getIssues(access: Access, ids: readonly string[]): Promise<readonly Issue[]> {
  return (await readRecords(access, ids)).map(toIssue);
}

/**
 * The records of issues, of all teams in one query. Includes archived ones: Linear archives what has long been done.
 */
export async function readRecords({ client, config }: Access, ids: readonly string[]): Promise<readonly LinearIssue[]> {
  const numbers = new Map<string, Set<number>>();
  for (const id of ids) {
    const [, key, number] = /^([A-Z][A-Z0-9_]*)-(\d+)$/.exec(fullId(config, id)) ?? [];
    if (key !== undefined) numbers.set(key, (numbers.get(key) ?? new Set()).add(Number(number)));
  }
  if (numbers.size === 0) return [];
  const or = [...numbers].map(([key, wanted]) => ({ team: { key: { eq: key } }, number: { in: [...wanted] } }));
  const records = await readPages(client, { filter: { or }, includeArchived: true });
  return records.map(parseRecord).sort(byKeyAndNumber);
}

async function readPages(client: LinearClient, variables: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const records: unknown[] = [];
  let after: string | null | undefined;
  do {
    const { issues } = await client.ask({ query: LIST, variables: { ...variables, after }, answer: Page });
    for (const record of issues.nodes) records.push(await completeIssue(client, record));
    after = issues.pageInfo.hasNextPage ? issues.pageInfo.endCursor : null;
  } while (after != null);
  return records;
}

/** `eng-42` is `ENG-42`; a number alone belongs to the configured team. */
function fullId({ teamId }: TrackerConfig, written: string): string {
  const id = normalizeIssue(written).toUpperCase();
  const hasKey = teamId !== undefined && !UUID.test(teamId);
  return /^\d+$/.test(id) && hasKey ? `${teamId.toUpperCase()}-${id}` : id;
}

/** The configured team: by id, or by key. */
export function teamFilter(teamId: string): Filter {
  return UUID.test(teamId) ? { id: { eq: teamId } } : { key: { eq: teamId.toUpperCase() } };
}

/** The people that a word may mean. */
export function personFilter(written: string): Filter {
  if (written === "me") return { isMe: { eq: true } };
  return { or: ["displayName", "email", "name"].map((field) => ({ [field]: { eqIgnoreCase: written } })) };
}

function filterOf(config: TrackerConfig, filter: IssueFilter): Filter {
  const assignee = filter.assignee ?? config.assignee;
  const labels = [...config.labels, ...(filter.labels ?? [])];
  const { state } = filter;
  return {
    and: [
      ...(config.teamId === undefined ? [] : [{ team: teamFilter(config.teamId) }]),
      ...(state === undefined ? [] : [{ state: { type: { [state === "closed" ? "in" : "nin"]: CLOSED } } }]),
      ...labels.map((name) => ({ labels: { some: { name: { eqIgnoreCase: name } } } })),
      ...(assignee === undefined ? [] : [{ assignee: personFilter(assignee) }]),
    ],
  };
}

function byKeyAndNumber(a: LinearIssue, b: LinearIssue): number {
  return a.team.key.localeCompare(b.team.key) || a.number - b.number;
}

function parseRecord(record: unknown): LinearIssue {
  const parsed = LinearIssue.safeParse(record);
  if (parsed.success) return parsed.data;
  throw new PluginError({
    plugin: "linear",
    category: "bad-response",
    message: `Linear's ${describeProblem(record, parsed.error)}.`,
  });
}

function describeProblem(record: unknown, error: z.ZodError): string {
  const { identifier } = (record ?? {}) as { readonly identifier?: unknown };
  const name = typeof identifier === "string" && identifier !== "" ? `issue ${identifier}` : "issue without an id";
  const [first] = error.issues;
  return `${name} cannot be read: ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`.trim();
}

/** Records of issues that must all exist. */
export async function requireRecords(access: Access, ids: readonly string[]): Promise<readonly LinearIssue[]> {
  return Promise.all(ids.map((id) => requireRecord(access, id)));
}

/** The record of an issue, or an error if it is missing. */
export async function requireRecord(access: Access, id: string): Promise<LinearIssue> {
  const [record] = await readRecords(access, [id]);
  if (record === undefined) throw unknownIssue(id);
  return record;
}

/** The error for a missing issue. */
export function unknownIssue(id: string): PluginError {
  return new PluginError({
    plugin: "linear",
    code: "task-unknown",
    category: "not-found",
    message: `Linear has no issue ${id}.`,
    hint: "`ao issue list` shows what there is.",
  });
}
