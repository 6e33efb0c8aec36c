import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { Issue, IssuePatch, NewIssue } from "../../../ports/tracker.ts";
import { ensureLabels } from "./labels.ts";
import { CREATE_ISSUE, CREATE_RELATION, DELETE_RELATION, UPDATE_ISSUE, USERS } from "./queries.ts";
import { type Access, getIssues, personFilter, requireRecord, requireRecords, unknownIssue } from "./read.ts";
import { blockersOf, isClosed, type LinearIssue, priorityNumber } from "./record.ts";
import { findTeam, stateFor } from "./states.ts";

const Done = z.unknown();
const Created = z.object({ issueCreate: z.object({ issue: z.object({ identifier: z.string() }) }) });
const Users = z.object({ users: z.object({ nodes: z.array(z.object({ id: z.string() })) }) });

/** Creates an issue; looks up its dependencies first, so that no partial issue is left behind. */
export async function createIssue(access: Access, issue: NewIssue): Promise<Issue> {
  if (issue.title.trim() === "") {
    throw new PluginError({ plugin: "linear", code: "usage", category: "config", message: "An issue needs a title." });
  }
  const priority = priorityNumber(issue.priority ?? "");
  const blockers = await requireRecords(access, issue.dependsOn);
  const team = await findTeam(access);
  const labelIds = await ensureLabels(access, team.id, issue.labels);
  const input = { teamId: team.id, title: issue.title, description: issue.body, labelIds, priority };
  const { issueCreate } = await access.client.ask({ query: CREATE_ISSUE, variables: { input }, answer: Created });
  const { identifier } = issueCreate.issue;
  for (const blocker of blockers) await addBlocker(access, blocker.identifier, identifier);
  return readBack(access, identifier);
}

/** Changes the given fields and nothing else. */
export async function editIssue(access: Access, id: string, patch: IssuePatch): Promise<Issue> {
  const before = await requireRecord(access, id);
  const input = await inputOf(access, before, patch);
  if (Object.keys(input).length > 0) await updateIssue(access, before, input);
  if (patch.dependsOn !== undefined) await setBlockers(access, before, patch.dependsOn);
  return readBack(access, before.identifier);
}

export async function updateIssue(
  { client }: Access,
  { id }: LinearIssue,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  await client.ask({ query: UPDATE_ISSUE, variables: { id, input }, answer: Done });
}

async function inputOf(access: Access, before: LinearIssue, patch: IssuePatch): Promise<Record<string, unknown>> {
  const { title, body, state, labels, priority, assignee } = patch;
  const isMoved = state !== undefined && (state === "closed") !== isClosed(before.state);
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { description: body }),
    ...(priority === undefined ? {} : { priority: priorityNumber(priority) }),
    ...(labels === undefined ? {} : { labelIds: await ensureLabels(access, before.team.id, labels) }),
    ...(isMoved ? { stateId: (await stateFor(access, before.team.id, state)).id } : {}),
    ...(assignee === undefined ? {} : { assigneeId: assignee === null ? null : await requireUser(access, assignee) }),
  };
}

async function requireUser({ client }: Access, written: string): Promise<string> {
  const { users } = await client.ask({ query: USERS, variables: { filter: personFilter(written) }, answer: Users });
  const [user, another] = users.nodes;
  if (user !== undefined && another === undefined) return user.id;
  throw new PluginError({
    plugin: "linear",
    code: "usage",
    category: "not-found",
    message: user === undefined ? `Linear has no user ${written}.` : `Linear has several users named ${written}.`,
    hint: "Give the e-mail address.",
  });
}

async function setBlockers(access: Access, issue: LinearIssue, wanted: readonly string[]): Promise<void> {
  const blockers = await requireRecords(access, wanted);
  const had = blockersOf(issue);
  for (const { identifier } of blockers) {
    if (!had.some((one) => one.issue.identifier === identifier)) await addBlocker(access, identifier, issue.identifier);
  }
  for (const { id, issue: blocker } of had) {
    if (blockers.some(({ identifier }) => identifier === blocker.identifier)) continue;
    await access.client.ask({ query: DELETE_RELATION, variables: { id }, answer: Done });
  }
}

async function addBlocker({ client }: Access, blocker: string, blocked: string): Promise<void> {
  const input = { issueId: blocker, relatedIssueId: blocked, type: "blocks" };
  await client.ask({ query: CREATE_RELATION, variables: { input }, answer: Done });
}

async function readBack(access: Access, identifier: string): Promise<Issue> {
  const [issue] = await getIssues(access, [identifier]);
  if (issue === undefined) throw unknownIssue(identifier);
  return issue;
}
