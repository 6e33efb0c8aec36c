import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { Issue, IssueAuthor } from "../../../ports/tracker.ts";

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*-\d+$/;

export const State = z.object({ id: z.string(), name: z.string(), type: z.string(), position: z.number() });

export type State = z.infer<typeof State>;

/** An issue in an answer; other fields are ignored. */
export const LinearIssue = z.object({
  id: z.string(),
  identifier: z.string().regex(IDENTIFIER),
  number: z.number(),
  title: z.string(),
  description: z.string().nullish(),
  url: z.url(),
  priority: z.number().nullish(),
  state: State,
  team: z.object({ id: z.string(), key: z.string() }),
  assignee: z.object({ displayName: z.string() }).nullish(),
  creator: z.object({ displayName: z.string() }).nullish(),
  externalUserCreator: z.object({ name: z.string() }).nullish(),
  botActor: z.object({ name: z.string().nullish() }).nullish(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  inverseRelations: z.object({
    nodes: z.array(z.object({ id: z.string(), type: z.string(), issue: z.object({ identifier: z.string() }) })),
  }),
});

export type LinearIssue = z.infer<typeof LinearIssue>;

/** Kinds of final states. */
export const CLOSED: readonly string[] = ["completed", "canceled", "duplicate"];

export function isClosed({ type }: State): boolean {
  return CLOSED.includes(type);
}

/** Linear's numbers, by people's words. */
const PRIORITIES = ["none", "urgent", "high", "medium", "low"];

/** The number of a priority; an empty word removes it. */
export function priorityNumber(word: string): number {
  const wanted = word.trim().toLowerCase();
  if (wanted === "" || wanted === "no priority") return 0;
  const number = wanted === "normal" ? 3 : PRIORITIES.indexOf(wanted);
  if (number !== -1) return number;
  throw new PluginError({
    plugin: "linear",
    code: "usage",
    category: "config",
    message: `Linear has no priority "${word}".`,
    hint: `It has ${PRIORITIES.slice(1).join(", ")} and ${PRIORITIES[0]}.`,
  });
}

/** An issue of the port. */
export function toIssue(issue: LinearIssue): Issue {
  const { priority } = issue;
  return {
    id: issue.identifier,
    title: issue.title,
    body: issue.description ?? "",
    state: isClosed(issue.state) ? "closed" : "open",
    labels: issue.labels.nodes.map(({ name }) => name),
    priority: priority == null || priority === 0 ? null : (PRIORITIES[priority] ?? null),
    dependsOn: blockersOf(issue).map(({ issue: blocker }) => blocker.identifier),
    assignee: issue.assignee?.displayName ?? null,
    url: issue.url,
    author: authorOf(issue),
  };
}

// Only members and guests, whom a member invited, have accounts. Integrations bring in what others wrote: e-mails, requests in chats, issues elsewhere.
function authorOf({ creator, externalUserCreator: external, botActor: bot }: LinearIssue): IssueAuthor {
  if (external != null) return { name: external.name, access: "none" };
  if (creator == null || bot != null) return { name: creator?.displayName ?? bot?.name ?? "somebody", access: "none" };
  return { name: creator.displayName, access: "write" };
}

/** The relations by which other issues block this one. */
export function blockersOf(issue: LinearIssue): LinearIssue["inverseRelations"]["nodes"] {
  return issue.inverseRelations.nodes.filter(({ type }) => type === "blocks");
}
