import { z } from "zod";
import type { Issue, IssueAuthor } from "../../../ports/tracker.ts";
import { type AdfNode, fromAdf } from "./adf.ts";

/** A document of the cloud, or the text of a server. */
export const Text = z.union([z.string(), z.looseObject({ type: z.string() })]).nullish();

export const Status = z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }) });

export type Status = z.infer<typeof Status>;

const Linked = z.object({ key: z.string() }).nullish();
const Link = z.object({
  id: z.string(),
  type: z.object({ inward: z.string(), outward: z.string() }),
  inwardIssue: Linked,
  outwardIssue: Linked,
});

/** A person: the cloud has an id and a display name, a server the login name. */
export const Person = z.object({
  accountId: z.string().nullish(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  emailAddress: z.string().nullish(),
  /** On the cloud: a member's is `atlassian`, an app's `app`, that of a portal's customer `customer`. */
  accountType: z.string().nullish(),
});

export type Person = z.infer<typeof Person>;

/** An issue in an answer; other fields are ignored. */
export const JiraIssue = z.object({
  key: z.string().regex(/^[A-Za-z][A-Za-z0-9_]*-\d+$/),
  fields: z.object({
    summary: z.string(),
    description: Text,
    status: Status,
    labels: z.array(z.string()),
    priority: z.object({ name: z.string() }).nullish(),
    assignee: Person.nullish(),
    issuelinks: z.array(Link).nullish(),
    creator: Person.nullish(),
    reporter: Person.nullish(),
    project: z.object({ projectTypeKey: z.string().nullish() }).nullish(),
  }),
});

export type JiraIssue = z.infer<typeof JiraIssue>;

/** The requested fields. */
export const FIELDS = [
  ...["summary", "description", "status", "labels", "priority", "assignee", "issuelinks"],
  ...["creator", "reporter", "project"],
];

const WAITS_FOR = ["is blocked by", "depends on"];

/** Keys of the issues that block this one, with the link ids. */
export function blockersOf({ fields }: JiraIssue): readonly { readonly id: string; readonly key: string }[] {
  return (fields.issuelinks ?? []).flatMap(({ id, type, inwardIssue, outwardIssue }) => {
    const isInward = inwardIssue != null && WAITS_FOR.includes(type.inward.toLowerCase());
    const isOutward = outwardIssue != null && WAITS_FOR.includes(type.outward.toLowerCase());
    if (isInward) return [{ id, key: inwardIssue.key }];
    return isOutward ? [{ id, key: outwardIssue.key }] : [];
  });
}

export function isClosed({ statusCategory }: Status): boolean {
  return statusCategory.key === "done";
}

/** A text as Markdown, or as a server's wiki text. */
export function readText(text: string | object | null | undefined): string {
  return text == null ? "" : typeof text === "string" ? text : fromAdf(text as AdfNode);
}

/** An issue of the port. */
export function toIssue(issue: JiraIssue, baseUrl: string): Issue {
  const { summary, description, status, labels, priority, assignee } = issue.fields;
  return {
    id: issue.key,
    title: summary,
    body: readText(description),
    state: isClosed(status) ? "closed" : "open",
    labels,
    priority: priority?.name.toLowerCase() ?? null,
    dependsOn: blockersOf(issue).map(({ key }) => key),
    assignee: assignee?.name ?? assignee?.displayName ?? null,
    url: `${baseUrl}/browse/${issue.key}`,
    author: authorOf(issue.fields),
  };
}

/** Whom the issue is from; the account that brought it in has to be a member's too, because apps bring in e-mails. */
function authorOf({ creator, reporter, project }: JiraIssue["fields"]): IssueAuthor {
  const people = [creator, ...(reporter == null ? [] : [reporter])];
  const name = reporter ?? creator;
  // A server does not say who is only a customer, so in a service desk nobody is known to be more.
  const isDesk = project?.projectTypeKey === "service_desk";
  const isMember = people.every((person) => {
    if (person == null) return false;
    return person.accountType == null ? !isDesk : person.accountType === "atlassian";
  });
  return { name: name?.name ?? name?.displayName ?? "somebody", access: isMember ? "write" : "none" };
}
