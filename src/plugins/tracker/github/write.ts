import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { normalizeIssue } from "../../../core/name.ts";
import type { Issue, IssuePatch, NewIssue } from "../../../ports/tracker.ts";
import { priorityLabels, splitLabels } from "../../../providers/forge/issue-text.ts";
import { type Access, completeIssue, readBlockers } from "./read.ts";
import { fromRest, labelNames, RestIssue } from "./record.ts";

const ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}";

/** Creates an issue; looks up its dependencies first, so that no partial issue is left behind. */
export async function createIssue(access: Access, issue: NewIssue): Promise<Issue> {
  if (issue.title.trim() === "") throw new PluginError({ ...blank, plugin: "github" });
  const { client, repository, config } = access;
  const blockers = await Promise.all(issue.dependsOn.map((id) => requireIssue(access, id)));
  const labels = [...issue.labels, ...priorityLabels(issue.priority, config.priorityLabel)];
  const created = await client.rest({
    route: "POST /repos/{owner}/{repo}/issues",
    parameters: { ...repository, title: issue.title, body: issue.body, labels },
    answer: RestIssue,
  });
  for (const blocker of blockers) await addBlocker(access, created.number, blocker);
  return fromRest(
    created,
    config.priorityLabel,
    blockers.map(({ number }) => String(number)),
  );
}

const blank = { code: "usage", category: "config", message: "An issue needs a title." } as const;

/** Changes the given fields and nothing else. */
export async function editIssue(access: Access, id: string, patch: IssuePatch): Promise<Issue> {
  const { client, repository } = access;
  const before = await requireIssue(access, id);
  const fields = fieldsOf(access, before, patch);
  const parameters = { ...repository, issue_number: before.number, ...fields };
  const isSame = Object.keys(fields).length === 0;
  const after = isSame ? before : await client.rest({ route: `PATCH ${ISSUE}`, parameters, answer: RestIssue });
  if (patch.dependsOn === undefined) return completeIssue(access, after);
  await setBlockers(access, before.number, patch.dependsOn);
  return fromRest(after, access.config.priorityLabel, await readBlockers(access, before.number));
}

function fieldsOf(access: Access, before: RestIssue, patch: IssuePatch): Readonly<Record<string, unknown>> {
  const { title, body, state, assignee } = patch;
  const reason = state === "closed" ? { state_reason: "completed" } : {};
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(state === undefined ? {} : { state, ...reason }),
    ...(assignee === undefined ? {} : { assignees: assignee === null ? [] : [assignee] }),
    ...labelsOf(access, before, patch),
  };
}

/** Labels and priority are one list on GitHub: whichever is not given stays. */
function labelsOf({ config }: Access, before: RestIssue, patch: IssuePatch): { readonly labels?: readonly string[] } {
  if (patch.labels === undefined && patch.priority === undefined) return {};
  const had = splitLabels(labelNames(before), config.priorityLabel);
  const priority = patch.priority ?? had.priority;
  return { labels: [...(patch.labels ?? had.labels), ...priorityLabels(priority, config.priorityLabel)] };
}

async function setBlockers(access: Access, number: number, wanted: readonly string[]): Promise<void> {
  const ids = wanted.map(normalizeIssue);
  const had = await readBlockers(access, number);
  for (const id of ids.filter((one) => !had.includes(one)))
    await addBlocker(access, number, await requireIssue(access, id));
  for (const id of had.filter((one) => !ids.includes(one))) {
    const { id: issueId } = await requireIssue(access, id);
    const parameters = { ...access.repository, issue_number: number, issue_id: issueId };
    const route = `DELETE ${ISSUE}/dependencies/blocked_by/{issue_id}`;
    await access.client.rest({ route, parameters, answer: RestIssue });
  }
}

async function addBlocker({ client, repository }: Access, number: number, blocker: RestIssue): Promise<void> {
  const parameters = { ...repository, issue_number: number, issue_id: blocker.id };
  await client.rest({ route: `POST ${ISSUE}/dependencies/blocked_by`, parameters, answer: RestIssue });
}

/** The record of an issue; rejects a pull request with that number, or an issue moved to another repository. */
async function requireIssue(access: Access, id: string): Promise<RestIssue> {
  const { client, repository } = access;
  const number = normalizeIssue(id);
  const unknown = unknownIssue(repository, id);
  if (!/^\d+$/.test(number)) throw unknown;
  const parameters = { ...repository, issue_number: Number(number) };
  const issue = await client
    .rest({ route: `GET ${ISSUE}`, parameters, answer: RestIssue })
    .catch((error: { readonly category?: string }) => {
      throw error.category === "not-found" ? unknown : error;
    });
  if (issue.pull_request !== undefined) throw unknown;
  await requireHere(access, id, issue);
  return issue;
}

const Renamed = z.object({ full_name: z.string() });

/** GitHub redirects to a moved issue, and to a renamed repository: only the latter may be written. */
async function requireHere({ client, repository }: Access, id: string, { html_url: page }: RestIssue): Promise<void> {
  const isIn = (name: string): boolean => page.toLowerCase().includes(`/${name.toLowerCase()}/issues/`);
  const name = `${repository.owner}/${repository.repo}`;
  if (isIn(name)) return;
  const { full_name: renamed } = await client.rest({
    route: "GET /repos/{owner}/{repo}",
    parameters: repository,
    answer: Renamed,
  });
  if (isIn(renamed)) return;
  throw new PluginError({
    plugin: "github",
    code: "task-unknown",
    category: "not-found",
    message: `Issue ${id} of ${name} was moved to ${page}.`,
    hint: "Work on it in a project of that repository.",
  });
}

/** The error for a missing issue. */
export function unknownIssue({ owner, repo }: Access["repository"], id: string): PluginError {
  return new PluginError({
    plugin: "github",
    code: "task-unknown",
    category: "not-found",
    message: `${owner}/${repo} has no issue ${id}.`,
    hint: "`ao issue list` shows what there is.",
  });
}
