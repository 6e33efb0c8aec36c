import type { Comment, Issue, Repository } from "../model.ts";
import { presentComment, presentIssue, presentLabel } from "../present/issue.ts";
import { presentRepository } from "../present/repository.ts";
import { ensureLabel, type World } from "../world.ts";
import {
  type Api,
  bodyOf,
  type Call,
  invalid,
  issueOf,
  namesOf,
  notFound,
  repositoryOf,
  sendPage,
  textOf,
} from "./context.ts";

/** Comments of issues and pull requests. */
export function routeComments(api: Api, world: World): void {
  const list = "/repos/:owner/:repo/issues/:number{[0-9]+}/comments";
  const one = "/repos/:owner/:repo/issues/comments/:id{[0-9]+}";
  api.get(list, (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    return sendPage(
      call,
      issue.comments.map((comment) => presentComment(world, repository, { issue, comment })),
    );
  });
  api.post(list, async (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    const body = textOf((await bodyOf(call))["body"]);
    if (body === undefined || body === "") throw invalid("IssueComment", "body", "missing_field");
    const now = world.now();
    const comment = { id: world.nextId(), author: call.get("account"), body, createdAt: now, updatedAt: now };
    issue.comments.push(comment);
    issue.updatedAt = now;
    const shown = presentComment(world, repository, { issue, comment });
    world.webhooks.emit(repository, "issue_comment", {
      action: "created",
      issue: presentIssue(world, repository, issue),
      comment: shown,
      repository: presentRepository(world, repository),
      sender: shown.user,
    });
    return call.json(shown, 201);
  });
  api.get(one, (call) => {
    const repository = repositoryOf(world, call);
    return call.json(presentComment(world, repository, findComment(repository, call)));
  });
  api.patch(one, async (call) => {
    const repository = repositoryOf(world, call);
    const found = findComment(repository, call);
    found.comment.body = textOf((await bodyOf(call))["body"]) ?? found.comment.body;
    found.comment.updatedAt = world.now();
    return call.json(presentComment(world, repository, found));
  });
  api.delete(one, (call) => {
    const { issue, comment } = findComment(repositoryOf(world, call), call);
    issue.comments.splice(issue.comments.indexOf(comment), 1);
    return call.body(null, 204);
  });
}

function findComment(repository: Repository, call: Call): { readonly issue: Issue; readonly comment: Comment } {
  const id = Number(call.req.param("id"));
  for (const issue of repository.issues.values()) {
    const comment = issue.comments.find((one) => one.id === id);
    if (comment !== undefined) return { issue, comment };
  }
  throw notFound();
}

/** Labels of a repository, of an issue, and of a pull request. */
export function routeLabels(api: Api, world: World): void {
  const ofIssue = "/repos/:owner/:repo/issues/:number{[0-9]+}/labels";
  const show = (repository: Repository, issue: Issue): unknown[] =>
    issue.labels.map((label) => presentLabel(world, repository, label));
  api.get("/repos/:owner/:repo/labels", (call) => {
    const repository = repositoryOf(world, call);
    return sendPage(
      call,
      [...repository.labels.values()].map((label) => presentLabel(world, repository, label)),
    );
  });
  api.post("/repos/:owner/:repo/labels", async (call) => {
    const repository = repositoryOf(world, call);
    const name = textOf((await bodyOf(call))["name"]) ?? "";
    if (repository.labels.has(name.toLowerCase())) throw invalid("Label", "name", "already_exists");
    return call.json(presentLabel(world, repository, ensureLabel(world, repository, name)), 201);
  });
  api.get(ofIssue, (call) => {
    const repository = repositoryOf(world, call);
    return sendPage(call, show(repository, issueOf(repository, call)));
  });
  api.post(ofIssue, async (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    for (const name of namesOf((await bodyOf(call))["labels"]) ?? []) {
      const label = ensureLabel(world, repository, name);
      if (!issue.labels.includes(label)) issue.labels.push(label);
    }
    issue.updatedAt = world.now();
    return call.json(show(repository, issue));
  });
  api.delete(`${ofIssue}/:name`, (call) => {
    const repository = repositoryOf(world, call);
    const issue = issueOf(repository, call);
    const name = (call.req.param("name") ?? "").toLowerCase();
    const label = issue.labels.find((one) => one.name.toLowerCase() === name);
    if (label === undefined) throw notFound();
    issue.labels.splice(issue.labels.indexOf(label), 1);
    issue.updatedAt = world.now();
    return call.json(show(repository, issue));
  });
}
