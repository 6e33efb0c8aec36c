import type { Hono } from "hono";
import { addIssue, type Issue, statusNamed, type Transition, type World } from "./model.ts";
import { presentComment, presentIssue, presentStatus } from "./present.ts";
import { JiraProblem, requireIssue, requireText, type Variables } from "./problem.ts";

type Api = Hono<{ Variables: Variables }>;
type Fields = Readonly<Record<string, unknown>>;

export function routeIssues(api: Api, world: World): void {
  api.post("/issue", async (call) => {
    const { fields } = (await call.req.json()) as { fields: Fields };
    const { key } = fields["project"] as { readonly key: string };
    if (!world.projects.includes(key)) throw new JiraProblem(400, "", { project: "valid project is required" });
    if (fields["issuetype"] === undefined) throw new JiraProblem(400, "", { issuetype: "Specify an issue type" });
    requireText(world, "description", fields["description"]);
    const issue = addIssue(world, key, "");
    change(world, issue, fields);
    return call.json({ id: issue.id, key: issue.key, self: `https://jira.test/rest/api/2/issue/${issue.id}` }, 201);
  });
  api.get("/issue/:key", (call) =>
    call.json(presentIssue(world, requireIssue(world, call.req.param("key"))) as object),
  );
  api.put("/issue/:key", async (call) => {
    const { fields } = (await call.req.json()) as { fields: Fields };
    change(world, requireIssue(world, call.req.param("key")), fields);
    return call.body(null, 204);
  });
  api.put("/issue/:key/assignee", async (call) => {
    const body = (await call.req.json()) as { accountId?: string | null; name?: string | null };
    const id = world.deployment === "cloud" ? body.accountId : body.name;
    const person = world.people.find(({ accountId, name }) => [accountId, name].includes(id ?? ""));
    if (id === undefined || (id !== null && person === undefined)) throw new JiraProblem(400, "No such user.");
    requireIssue(world, call.req.param("key")).assignee = person ?? null;
    return call.body(null, 204);
  });
  routeLinks(api, world);
  routeTransitions(api, world);
  routeComments(api, world);
}

function change(world: World, issue: Issue, fields: Fields): void {
  const { summary, description, labels, priority } = fields;
  const spaced = (labels as string[] | undefined)?.find((label) => /\s/.test(label));
  if (spaced !== undefined)
    throw new JiraProblem(400, "", { labels: `The label '${spaced}' contains spaces which is invalid.` });
  const name = (priority as { readonly name: string } | undefined)?.name;
  if (name !== undefined && !world.priorities.includes(name)) {
    throw new JiraProblem(400, "", { priority: "Specify the Priority (name) in string format" });
  }
  if (summary !== undefined) issue.summary = String(summary);
  if (description !== undefined) issue.description = requireText(world, "description", description);
  if (labels !== undefined) issue.labels = labels as string[];
  if (name !== undefined) issue.priority = name;
}

function routeLinks(api: Api, world: World): void {
  api.post("/issueLink", async (call) => {
    const { type, inwardIssue, outwardIssue } = await call.req.json();
    if (type?.name !== "Blocks") throw new JiraProblem(404, `No issue link type with name '${type?.name}' found.`);
    const [source, target] = [requireIssue(world, inwardIssue?.key), requireIssue(world, outwardIssue?.key)];
    world.links.push({ id: world.nextId(), type: "Blocks", source, target });
    return call.body(null, 201);
  });
  api.delete("/issueLink/:id", (call) => {
    const index = world.links.findIndex(({ id }) => id === call.req.param("id"));
    if (index === -1) throw new JiraProblem(404, "No issue link with that id exists.");
    world.links.splice(index, 1);
    return call.body(null, 204);
  });
}

function routeTransitions(api: Api, world: World): void {
  const available = (issue: Issue): readonly Transition[] =>
    world.transitions.filter(({ from, to }) => (from?.includes(issue.status.name) ?? true) && to !== issue.status.name);
  api.get("/issue/:key/transitions", (call) => {
    const shown = available(requireIssue(world, call.req.param("key")));
    const transitions = shown.map(({ id, name, to }) => ({ id, name, to: presentStatus(statusNamed(world, to)) }));
    return call.json({ expand: "transitions", transitions });
  });
  api.post("/issue/:key/transitions", async (call) => {
    const issue = requireIssue(world, call.req.param("key"));
    const { transition } = (await call.req.json()) as { transition: { id: string } };
    const found = available(issue).find(({ id }) => id === transition.id);
    if (found === undefined)
      throw new JiraProblem(400, "It seems that you have tried to perform an illegal workflow operation.");
    issue.status = statusNamed(world, found.to);
    return call.body(null, 204);
  });
}

function routeComments(api: Api, world: World): void {
  api.get("/issue/:key/comment", (call) => {
    const { comments } = requireIssue(world, call.req.param("key"));
    const startAt = Number(call.req.query("startAt") ?? 0);
    const maxResults = Number(call.req.query("maxResults") ?? 50);
    const shown = comments.slice(startAt, startAt + maxResults).map((comment) => presentComment(world, comment));
    return call.json({ startAt, maxResults, total: comments.length, comments: shown });
  });
  api.post("/issue/:key/comment", async (call) => {
    const issue = requireIssue(world, call.req.param("key"));
    const body = requireText(world, "comment", (await call.req.json()).body);
    const comment = { id: world.nextId(), body, author: call.get("me") };
    issue.comments.push(comment);
    return call.json(presentComment(world, comment) as object, 201);
  });
  api.put("/issue/:key/comment/:id", async (call) => {
    const { comments } = requireIssue(world, call.req.param("key"));
    const comment = comments.find(({ id }) => id === call.req.param("id"));
    if (comment === undefined) throw new JiraProblem(404, "Can not find a comment for the id.");
    if (comment.author !== call.get("me"))
      throw new JiraProblem(403, "You do not have the permission to edit this comment.");
    comment.body = requireText(world, "comment", (await call.req.json()).body);
    return call.json(presentComment(world, comment) as object);
  });
}
