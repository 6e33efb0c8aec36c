import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { normalizeIssue } from "../../../core/name.ts";
import type { Issue, IssuePatch, NewIssue } from "../../../ports/tracker.ts";
import { priorityLabels, splitLabels } from "../../../providers/forge/issue-text.ts";
import { type Access, blockersIn, readLinks, toWholeIssue } from "./read.ts";
import { GitlabIssue, labelNames } from "./record.ts";

const ISSUES = "/projects/:id/issues";

/** Creates an issue; looks up its dependencies first, so that no partial issue is left behind. */
export async function createIssue(access: Access, issue: NewIssue): Promise<Issue> {
  if (issue.title.trim() === "") throw usage("An issue needs a title.");
  const { client, config } = access;
  const blockers = await Promise.all(issue.dependsOn.map((id) => requireIssue(access, id)));
  const labels = requireLabels([...issue.labels, ...priorityLabel(config.priorityLabel, issue.priority)]);
  const created = await client.write({
    method: "POST",
    path: ISSUES,
    body: { title: issue.title, description: issue.body, labels: labels.join(",") },
    answer: GitlabIssue,
  });
  for (const blocker of blockers) await addBlocker(access, created.iid, blocker.iid);
  return toWholeIssue(
    access,
    created,
    blockers.map(({ iid }) => String(iid)),
  );
}

/** Changes the given fields and nothing else. */
export async function editIssue(access: Access, id: string, patch: IssuePatch): Promise<Issue> {
  const { client } = access;
  const before = await requireIssue(access, id);
  if (before.moved_to_id != null) throw movedIssue(access, id);
  const body = {
    ...fieldsOf(before, patch),
    ...labelsOf(access, before, patch),
    ...(await assigneesOf(access, patch)),
  };
  const path = `${ISSUES}/${before.iid}`;
  const isSame = Object.keys(body).length === 0;
  const after = isSame ? before : await client.write({ method: "PUT", path, body, answer: GitlabIssue });
  if (patch.dependsOn !== undefined) await setBlockers(access, before.iid, patch.dependsOn);
  return toWholeIssue(access, after, blockersIn(await readLinks(access, before.iid)));
}

function fieldsOf(before: GitlabIssue, patch: IssuePatch): Readonly<Record<string, unknown>> {
  const { title, body, state } = patch;
  const isClosed = before.state === "closed";
  const event = state === undefined || (state === "closed") === isClosed ? null : isClosed ? "reopen" : "close";
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { description: body }),
    ...(event === null ? {} : { state_event: event }),
  };
}

/** Labels, priority and the stage mark are one list on GitLab: whichever is not given stays. */
function labelsOf({ config }: Access, before: GitlabIssue, patch: IssuePatch): { readonly labels?: string } {
  const stages = patch.state === "closed" ? Object.values(config.states) : [];
  const hasStage = labelNames(before).some((name) => stages.includes(name));
  if (patch.labels === undefined && patch.priority === undefined && !hasStage) return {};
  const had = splitLabels(labelNames(before), config.priorityLabel);
  const priority = patch.priority ?? had.priority ?? undefined;
  const kept = (patch.labels ?? had.labels).filter((name) => !stages.includes(name));
  return { labels: requireLabels([...kept, ...priorityLabel(config.priorityLabel, priority)]).join(",") };
}

/** Scoped labels are written without a space: `priority::high`. */
function priorityLabel(prefix: string, priority: string | undefined): readonly string[] {
  return prefix.endsWith("::") && priority ? [`${prefix}${priority}`] : priorityLabels(priority, prefix);
}

function requireLabels(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => name.includes(","));
  if (wrong !== undefined) throw usage(`A label on GitLab has no comma: "${wrong}".`);
  return names;
}

const Users = z.array(z.object({ id: z.number(), username: z.string() }));

async function assigneesOf(
  { client }: Access,
  { assignee }: IssuePatch,
): Promise<{ readonly assignee_ids?: readonly number[] }> {
  if (assignee === undefined) return {};
  if (assignee === null) return { assignee_ids: [] };
  const [user] = await client.read({ path: "/users", query: { username: assignee }, answer: Users });
  if (user === undefined) throw usage(`${client.address.host} has no user ${assignee}.`);
  return { assignee_ids: [user.id] };
}

async function setBlockers(access: Access, iid: number, wanted: readonly string[]): Promise<void> {
  const ids = wanted.map(normalizeIssue);
  const links = (await readLinks(access, iid)).filter(({ link_type: type }) => type === "is_blocked_by");
  const had = links.map((link) => String(link.iid));
  for (const id of ids.filter((one) => !had.includes(one))) {
    await addBlocker(access, iid, (await requireIssue(access, id)).iid);
  }
  for (const link of links.filter((one) => !ids.includes(String(one.iid)))) {
    const path = `${ISSUES}/${iid}/links/${link.issue_link_id}`;
    await access.client.write({ method: "DELETE", path, answer: z.unknown() });
  }
}

async function addBlocker({ client }: Access, iid: number, blocker: number): Promise<void> {
  const body = { target_project_id: client.project, target_issue_iid: blocker, link_type: "is_blocked_by" };
  const path = `${ISSUES}/${iid}/links`;
  await client.write({ method: "POST", path, body, answer: z.unknown() }).catch((error: unknown) => {
    if (!(error instanceof PluginError) || error.category !== "auth") throw error;
    const message = `GitLab does not let issue ${iid} depend on #${blocker}: ${error.message}`;
    const hint = `Links that block need GitLab Premium. Write "Depends on #${blocker}" in the description instead.`;
    throw new PluginError({ plugin: "gitlab", category: "config", message, hint });
  });
}

/** The record of an issue. */
export async function requireIssue(access: Access, id: string): Promise<GitlabIssue> {
  const { client } = access;
  const number = normalizeIssue(id);
  if (!/^\d+$/.test(number)) throw unknownIssue(access, id);
  return client
    .read({ path: `${ISSUES}/${number}`, answer: GitlabIssue })
    .catch((error: { readonly category?: string }) => {
      throw error.category === "not-found" ? unknownIssue(access, id) : error;
    });
}

/** The error for a missing issue. */
export function unknownIssue({ client }: Access, id: string): PluginError {
  return new PluginError({
    plugin: "gitlab",
    code: "task-unknown",
    category: "not-found",
    message: `${client.project} has no issue ${id}.`,
    hint: "`ao issue list` shows what there is.",
  });
}

function movedIssue({ client }: Access, id: string): PluginError {
  return new PluginError({
    plugin: "gitlab",
    code: "task-unknown",
    category: "not-found",
    message: `Issue ${id} of ${client.project} was moved to another project.`,
    hint: "Work on it in a project of that repository.",
  });
}

function usage(message: string): PluginError {
  return new PluginError({ plugin: "gitlab", code: "usage", category: "config", message });
}
