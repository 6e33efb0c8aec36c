import { hookPayload } from "../hook-payload.ts";
import type { Issue, Label, Project, User } from "../model.ts";
import { presentIssue, presentLink } from "../present.ts";
import { addIssue, ensureLabel, setIssueState, type World } from "../world.ts";
import { type Api, bodyOf, type Call, HttpProblem, issueOf, namesOf, projectOf, sendPage, textOf } from "./context.ts";

const ALL = "/projects/:id/issues";
const ONE = `${ALL}/:iid{[0-9]+}`;

/** Issues: list, get, create, edit, and what blocks them. */
export function routeIssues(api: Api, world: World): void {
  api.get(ALL, (call) => {
    const project = projectOf(world, call);
    const found = [...project.issues.values()].filter(matches(call)).sort((a, b) => a.iid - b.iid);
    if (call.req.query("sort") !== "asc") found.reverse();
    return sendPage(
      call,
      found.map((issue) => presentIssue(world, project, issue)),
    );
  });
  api.get(ONE, (call) => {
    const project = projectOf(world, call);
    return call.json(presentIssue(world, project, issueOf(project, call)));
  });
  api.post(ALL, async (call) => {
    const project = projectOf(world, call);
    const body = await bodyOf(call);
    const title = textOf(body["title"]) ?? "";
    if (title.trim() === "") throw new HttpProblem(400, { title: ["can't be blank"] });
    const author = call.get("user");
    const issue = addIssue(world, project, { author, title, description: textOf(body["description"]) ?? null });
    edit(world, project, { issue, body, by: author });
    emitIssue(world, project, { action: "open", issue, by: author });
    return call.json(presentIssue(world, project, issue), 201);
  });
  api.put(ONE, async (call) => {
    const project = projectOf(world, call);
    const issue = issueOf(project, call);
    const by = call.get("user");
    const before = issue.state;
    edit(world, project, { issue, body: await bodyOf(call), by });
    const action = before === issue.state ? "update" : issue.state === "closed" ? "close" : "reopen";
    emitIssue(world, project, { action, issue, by });
    return call.json(presentIssue(world, project, issue));
  });
  routeLinks(api, world);
}

function routeLinks(api: Api, world: World): void {
  api.get(`${ONE}/links`, (call) => {
    const project = projectOf(world, call);
    const issue = issueOf(project, call);
    const blockers = issue.blockedBy.map((link) => ({ ...link, type: "is_blocked_by" as const }));
    const blocked = [...project.issues.values()].flatMap((other) =>
      other.blockedBy
        .filter((link) => link.issue === issue)
        .map(({ linkId }) => ({ linkId, issue: other, type: "blocks" as const })),
    );
    return call.json([...blockers, ...blocked].map((link) => presentLink(world, project, link)));
  });
  api.post(`${ONE}/links`, async (call) => {
    const project = projectOf(world, call);
    const issue = issueOf(project, call);
    const body = await bodyOf(call);
    const other = project.issues.get(Number(body["target_issue_iid"]));
    if (other === undefined) throw new HttpProblem(404, "404 Not found");
    const type = textOf(body["link_type"]) ?? "relates_to";
    if (type !== "relates_to" && !project.settings.isPremium) {
      throw new HttpProblem(403, "Blocked issues not available for current license");
    }
    const [from, to] = type === "blocks" ? [other, issue] : [issue, other];
    if (from.blockedBy.some((link) => link.issue === to)) throw new HttpProblem(409, "Issue(s) already assigned");
    if (type !== "relates_to") from.blockedBy.push({ linkId: world.nextId(), issue: to });
    return call.json(
      {
        source_issue: presentIssue(world, project, issue),
        target_issue: presentIssue(world, project, other),
        link_type: type,
      },
      201,
    );
  });
  api.delete(`${ONE}/links/:link`, (call) => {
    const project = projectOf(world, call);
    const { blockedBy } = issueOf(project, call);
    const index = blockedBy.findIndex(({ linkId }) => String(linkId) === call.req.param("link"));
    if (index < 0) throw new HttpProblem(404, "404 Not found");
    blockedBy.splice(index, 1);
    return call.json({ link_type: "is_blocked_by" });
  });
}

function matches(call: Call): (issue: Issue) => boolean {
  const state = call.req.query("state") ?? "all";
  const labels = namesOf(call.req.query("labels")) ?? [];
  const iids = call.req.queries("iids[]");
  const assignee = call.req.query("assignee_username");
  return (issue) =>
    (state === "all" || issue.state === state) &&
    labels.every((wanted) => issue.labels.some(({ name }) => name === wanted)) &&
    (iids === undefined || iids.includes(String(issue.iid))) &&
    (assignee === undefined || issue.assignees.some(({ username }) => username === assignee));
}

interface Edit {
  readonly issue: Issue;
  readonly body: Readonly<Record<string, unknown>>;
  readonly by: User;
}

function edit(world: World, project: Project, { issue, body, by }: Edit): void {
  issue.title = textOf(body["title"]) ?? issue.title;
  issue.description = textOf(body["description"]) ?? issue.description;
  issue.labels = [...editedLabels(world, project, { labels: issue.labels, body })];
  if (Array.isArray(body["assignee_ids"])) {
    const ids = body["assignee_ids"].map(Number);
    issue.assignees = [...world.users.values()].filter(({ id }) => ids.includes(id));
  }
  const event = body["state_event"];
  if (event === "close" || event === "reopen") setIssueState(world, issue, { isOpen: event === "reopen", by });
  issue.updatedAt = world.now();
}

/** `labels` replaces all of them; `add_labels` and `remove_labels` change some. */
export function editedLabels(
  world: World,
  project: Project,
  { labels, body }: { readonly labels: readonly Label[]; readonly body: Readonly<Record<string, unknown>> },
): readonly Label[] {
  const all = namesOf(body["labels"])?.map((name) => ensureLabel(world, project, name)) ?? labels;
  const added = (namesOf(body["add_labels"]) ?? []).map((name) => ensureLabel(world, project, name));
  const removed = namesOf(body["remove_labels"]) ?? [];
  return [...new Set([...all, ...added])].filter(({ name }) => !removed.includes(name));
}

/** Sends webhooks about an issue event. */
export function emitIssue(
  world: World,
  project: Project,
  happened: { readonly action: string; readonly issue: Issue; readonly by: User },
): void {
  const { action, issue, by } = happened;
  const { id, iid, title, state, updated_at } = presentIssue(world, project, issue);
  world.webhooks.emit(project, "Issue Hook", {
    object_kind: "issue",
    event_type: "issue",
    ...hookPayload(world, project, by),
    object_attributes: { id, iid, title, state, updated_at, action },
  });
}
