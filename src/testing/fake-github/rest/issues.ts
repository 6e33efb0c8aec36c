import type { Account, Issue, Repository } from "../model.ts";
import { presentIssue } from "../present/issue.ts";
import { presentRepository } from "../present/repository.ts";
import { ensureLabel, isPull, newIssue, setState, type World } from "../world.ts";
import { type Api, bodyOf, type Call, invalid, issueOf, namesOf, repositoryOf, sendPage, textOf } from "./context.ts";

/** Issues: list, get, create, edit, and what blocks them. */
export function routeIssues(api: Api, world: World): void {
  api.get("/repos/:owner/:repo/issues", (call) => {
    const repository = repositoryOf(world, call);
    const found = sortIssues(call, [...repository.issues.values()].filter(matches(call)));
    return sendPage(
      call,
      found.map((issue) => presentIssue(world, repository, issue)),
    );
  });
  api.get("/repos/:owner/:repo/issues/:number{[0-9]+}", (call) => {
    const repository = repositoryOf(world, call);
    return call.json(presentIssue(world, repository, issueOf(repository, call)));
  });
  api.post("/repos/:owner/:repo/issues", async (call) => {
    const repository = repositoryOf(world, call);
    const body = await bodyOf(call);
    const title = textOf(body["title"]);
    if (title === undefined || title.trim() === "") throw invalid("Issue", "title", "missing_field");
    const labels = checkLabels(namesOf(body["labels"]) ?? []);
    const assignees = namesOf(body["assignees"]) ?? [];
    const author = call.get("account");
    const issue = newIssue(world, repository, { author, title, body: textOf(body["body"]) ?? null, labels, assignees });
    repository.issues.set(issue.number, issue);
    emitIssue(world, repository, { action: "opened", issue, sender: author });
    return call.json(presentIssue(world, repository, issue), 201);
  });
  api.patch("/repos/:owner/:repo/issues/:number{[0-9]+}", async (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    const before = issue.state;
    editIssue(world, repository, { issue, body: await bodyOf(call) });
    const action = before === issue.state ? "edited" : issue.state === "closed" ? "closed" : "reopened";
    emitIssue(world, repository, { action, issue, sender: call.get("account") });
    return call.json(presentIssue(world, repository, issue));
  });
  routeDependencies(api, world);
}

function routeDependencies(api: Api, world: World): void {
  const path = "/repos/:owner/:repo/issues/:number{[0-9]+}/dependencies/blocked_by";
  const byId = (repository: Repository, id: unknown): Issue => {
    const found = [...repository.issues.values()].find((issue) => issue.id === Number(id));
    if (found === undefined) throw invalid("IssueDependency", "issue_id", "invalid");
    return found;
  };
  api.get(path, (call) => {
    const repository = repositoryOf(world, call);
    const { blockedBy } = issueOf(repository, call);
    return sendPage(
      call,
      blockedBy.map((issue) => presentIssue(world, repository, issue)),
    );
  });
  api.post(path, async (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    const other = byId(repository, (await bodyOf(call))["issue_id"]);
    if (issue.blockedBy.includes(other)) throw invalid("IssueDependency", "issue_id", "already_exists");
    issue.blockedBy.push(other);
    return call.json(presentIssue(world, repository, other), 201);
  });
  api.delete(`${path}/:id`, (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    const other = byId(repository, call.req.param("id"));
    issue.blockedBy.splice(issue.blockedBy.indexOf(other), 1);
    return call.json(presentIssue(world, repository, other));
  });
}

function matches(call: Call): (issue: Issue) => boolean {
  const state = call.req.query("state") ?? "open";
  const labels = (call.req.query("labels") ?? "").split(",").filter((name) => name !== "");
  const assignee = call.req.query("assignee");
  return (issue) => {
    if (state !== "all" && issue.state !== state) return false;
    const names = issue.labels.map(({ name }) => name.toLowerCase());
    if (!labels.every((name) => names.includes(name.toLowerCase()))) return false;
    if (assignee === undefined || assignee === "*") return assignee === undefined || issue.assignees.length > 0;
    if (assignee === "none") return issue.assignees.length === 0;
    return issue.assignees.some(({ login }) => login === assignee);
  };
}

/** Newest first by default, as on GitHub. */
function sortIssues(call: Call, issues: readonly Issue[]): readonly Issue[] {
  const sorted = [...issues].sort((a, b) => a.number - b.number);
  return call.req.query("direction") === "asc" ? sorted : sorted.reverse();
}

function checkLabels(names: readonly string[]): readonly string[] {
  if (names.some((name) => name.length > 50)) throw invalid("Label", "name", "invalid");
  return names;
}

interface Edit {
  readonly issue: Issue;
  readonly body: Readonly<Record<string, unknown>>;
}

function editIssue(world: World, repository: Repository, { issue, body }: Edit): void {
  const title = textOf(body["title"]);
  if (title !== undefined) issue.title = title;
  if (body["body"] !== undefined) issue.body = textOf(body["body"]) ?? null;
  const labels = namesOf(body["labels"]);
  if (labels !== undefined) issue.labels = checkLabels(labels).map((name) => ensureLabel(world, repository, name));
  const assignees = namesOf(body["assignees"]);
  if (assignees !== undefined) issue.assignees = assignees.map((login) => world.account(login));
  const state = textOf(body["state"]);
  if ((state === "open" || state === "closed") && !(isPull(issue) && issue.mergedAt !== null)) {
    setState(world, issue, { state, stateReason: textOf(body["state_reason"]) as Issue["stateReason"] });
  }
  issue.updatedAt = world.now();
}

/** Sends webhooks about an issue event. */
export function emitIssue(
  world: World,
  repository: Repository,
  happened: { readonly action: string; readonly issue: Issue; readonly sender: Account },
): void {
  const { action, issue, sender } = happened;
  world.webhooks.emit(repository, "issues", {
    action,
    issue: presentIssue(world, repository, issue),
    repository: presentRepository(world, repository),
    sender: { login: sender.login, id: sender.id, type: sender.type },
  });
}
