import { type Comment, type Issue, LINK_TYPE, type Person, type Status, type World } from "./model.ts";

const CATEGORIES = {
  new: { id: 2, key: "new", name: "To Do", colorName: "blue-gray" },
  indeterminate: { id: 4, key: "indeterminate", name: "In Progress", colorName: "yellow" },
  done: { id: 3, key: "done", name: "Done", colorName: "green" },
};

/** Only a server returns login names. */
export function presentPerson({ deployment }: World, { accountId, name, displayName, emailAddress }: Person): unknown {
  const common = { displayName, emailAddress, active: true };
  return deployment === "cloud" ? { ...common, accountId, accountType: "atlassian" } : { ...common, name, key: name };
}

export function presentStatus({ id, name, category }: Status): unknown {
  return { id, name, statusCategory: CATEGORIES[category] };
}

export function presentComment(world: World, { id, body, author }: Comment): unknown {
  const created = "2026-01-01T00:00:00.000+0000";
  return { id, body, author: presentPerson(world, author), created, updated: created };
}

export function presentIssue(world: World, issue: Issue): unknown {
  const { id, key, summary, description, status, labels, priority, assignee } = issue;
  const short = (one: Issue): unknown => ({ id: one.id, key: one.key, fields: { summary: one.summary } });
  const issuelinks = world.links.flatMap((link): unknown[] => {
    if (link.source === issue) return [{ id: link.id, type: LINK_TYPE, outwardIssue: short(link.target) }];
    return link.target === issue ? [{ id: link.id, type: LINK_TYPE, inwardIssue: short(link.source) }] : [];
  });
  const fields = {
    summary,
    description,
    status: presentStatus(status),
    labels,
    priority: { id: String(world.priorities.indexOf(priority) + 1), name: priority },
    assignee: assignee === null ? null : presentPerson(world, assignee),
    issuelinks,
    creator: presentPerson(world, world.people[0] as Person),
    reporter: presentPerson(world, world.people[0] as Person),
    project: { key: key.split("-")[0], projectTypeKey: "software" },
    ...issue.malformed,
  };
  return { id, key, self: `https://jira.test/rest/api/2/issue/${id}`, fields };
}
