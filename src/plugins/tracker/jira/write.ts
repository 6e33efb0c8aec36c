import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { Issue, IssuePatch, NewIssue } from "../../../ports/tracker.ts";
import { toAdf } from "./adf.ts";
import { findPerson } from "./people.ts";
import { type Access, getIssues, requireRecord } from "./read.ts";
import { blockersOf, isClosed, type JiraIssue } from "./record.ts";
import { transitTo } from "./transition.ts";

const Done = z.unknown();
const Created = z.object({ key: z.string() });
const Priorities = z.array(z.object({ name: z.string() }));

/** Creates an issue; looks up its dependencies first, so that no partial issue is left behind. */
export async function createIssue(access: Access, issue: NewIssue): Promise<Issue> {
  if (issue.title.trim() === "") throw misuse("An issue needs a title.");
  const { client, config } = access;
  const blockers = await Promise.all(issue.dependsOn.map((id) => requireRecord(access, id)));
  const fields = {
    project: { key: config.project },
    issuetype: { name: config.issueType },
    summary: issue.title,
    description: await textOf(access, issue.body),
    labels: issue.labels,
    ...(issue.priority === undefined ? {} : { priority: await priorityOf(access, issue.priority) }),
  };
  const { key } = await client.ask({ method: "POST", path: "/issue", body: { fields }, answer: Created });
  for (const blocker of blockers) await addBlocker(access, blocker.key, key);
  return readBack(access, key);
}

/** Changes the given fields and nothing else. */
export async function editIssue(access: Access, id: string, patch: IssuePatch): Promise<Issue> {
  const before = await requireRecord(access, id);
  const path = `/issue/${before.key}`;
  const fields = await fieldsOf(access, patch);
  if (Object.keys(fields).length > 0) {
    await access.client.ask({ method: "PUT", path, body: { fields }, answer: Done });
  }
  if (patch.assignee !== undefined) await assign(access, before, patch.assignee);
  if (patch.dependsOn !== undefined) await setBlockers(access, before, patch.dependsOn);
  const { state } = patch;
  if (state !== undefined && (state === "closed") !== isClosed(before.fields.status)) {
    await transitTo(access, before, state);
  }
  return readBack(access, before.key);
}

async function fieldsOf(access: Access, patch: IssuePatch): Promise<Record<string, unknown>> {
  const { title, body, labels, priority } = patch;
  return {
    ...(title === undefined ? {} : { summary: title }),
    ...(body === undefined ? {} : { description: await textOf(access, body) }),
    ...(labels === undefined ? {} : { labels }),
    ...(priority === undefined ? {} : { priority: await priorityOf(access, priority) }),
  };
}

/** The cloud has documents, a server has texts. */
async function textOf({ client }: Access, text: string): Promise<unknown> {
  return (await client.deployment()) === "cloud" ? toAdf(text) : text;
}

async function priorityOf({ client }: Access, written: string): Promise<{ readonly name: string }> {
  const known = await client.ask({ method: "GET", path: "/priority", answer: Priorities });
  const found = known.find(({ name }) => name.toLowerCase() === written.trim().toLowerCase());
  if (found !== undefined) return { name: found.name };
  throw misuse(`Jira has no priority "${written}".`, `It has ${known.map(({ name }) => name).join(", ")}.`);
}

async function assign(access: Access, { key }: JiraIssue, written: string | null): Promise<void> {
  const { client } = access;
  const id = written === null ? null : await findPerson(client, written);
  if (written !== null && id === null) throw misuse(`Jira has no user named ${written}.`, "Use the e-mail address.");
  const body = (await client.deployment()) === "cloud" ? { accountId: id } : { name: id };
  await client.ask({ method: "PUT", path: `/issue/${key}/assignee`, body, answer: Done });
}

async function setBlockers(access: Access, issue: JiraIssue, wanted: readonly string[]): Promise<void> {
  const keys = (await Promise.all(wanted.map((id) => requireRecord(access, id)))).map(({ key }) => key);
  const had = blockersOf(issue);
  for (const key of keys) if (!had.some((one) => one.key === key)) await addBlocker(access, key, issue.key);
  for (const { id, key } of had) {
    if (!keys.includes(key)) await access.client.ask({ method: "DELETE", path: `/issueLink/${id}`, answer: Done });
  }
}

async function addBlocker({ client }: Access, blocker: string, blocked: string): Promise<void> {
  const body = { type: { name: "Blocks" }, inwardIssue: { key: blocker }, outwardIssue: { key: blocked } };
  await client.ask({ method: "POST", path: "/issueLink", body, answer: Done });
}

async function readBack(access: Access, key: string): Promise<Issue> {
  const [issue] = await getIssues(access, [key]);
  return issue ?? Promise.reject(misuse(`Jira lost issue ${key}.`));
}

function misuse(message: string, hint?: string): PluginError {
  return new PluginError({
    plugin: "jira",
    code: "usage",
    category: "config",
    message,
    ...(hint === undefined ? {} : { hint }),
  });
}
