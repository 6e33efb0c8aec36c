import { Hono } from "hono";
import { routeIssues } from "./issues.ts";
import { parseJql } from "./jql.ts";
import type { World } from "./model.ts";
import { presentIssue, presentPerson, presentStatus } from "./present.ts";
import { JiraProblem, presentProblem, type Variables } from "./problem.ts";

/** The maximum page size of a search. */
const MAX_PAGE = 100;

/** Version 3 for the cloud, version 2 for a server; never both. */
export function createApi(world: World): (request: Request) => Promise<Response> {
  const isCloud = world.deployment === "cloud";
  const root = new Hono<{ Variables: Variables }>();
  root.get("/rest/api/2/serverInfo", (call) =>
    call.json({ baseUrl: "https://jira.test", version: "9.12.0", deploymentType: isCloud ? "Cloud" : "Server" }),
  );
  root.use(async (call, next) => {
    const me = world.sessions.get(call.req.header("authorization") ?? "");
    if (me === undefined) throw new JiraProblem(401, "Client must be authenticated to access this resource.");
    call.set("me", me);
    await next();
  });
  const api = new Hono<{ Variables: Variables }>();
  api.get("/myself", (call) => call.json(presentPerson(world, call.get("me"))));
  api.get("/priority", (call) => call.json(world.priorities.map((name, index) => ({ id: String(index + 1), name }))));
  api.get("/project/:key", (call) => {
    const { key } = call.req.param();
    if (!world.projects.includes(key)) throw new JiraProblem(404, `No project could be found with key '${key}'.`);
    return call.json({ id: "10000", key, name: `Project ${key}` });
  });
  api.get("/project/:key/statuses", (call) =>
    call.json([{ id: "1", name: "Task", subtask: false, statuses: world.statuses.map(presentStatus) }]),
  );
  api.get("/user/search", (call) => {
    const wanted = call.req.query(isCloud ? "query" : "username")?.toLowerCase() ?? "";
    const isFound = (text: string): boolean => text.toLowerCase().startsWith(wanted);
    const found = world.people.filter((one) => isFound(one.displayName) || isFound(one.emailAddress));
    return call.json(found.map((person) => presentPerson(world, person)));
  });
  routeSearch(api, world);
  routeIssues(api, world);
  root.route(isCloud ? "/rest/api/3" : "/rest/api/2", api);
  root.notFound((call) => call.json({ errorMessages: ["not found"], errors: {} }, 404));
  root.onError((error, call) => {
    const { status, body } = presentProblem(error);
    return call.json(body as object, status);
  });
  return async (request) => root.fetch(request);
}

function routeSearch(api: Hono<{ Variables: Variables }>, world: World): void {
  const find = (jql: string, me: Variables["me"]): unknown[] =>
    // Not sorted by key as numbers: the client has to do that.
    world.issues.filter(parseJql(jql, me)).map((issue) => presentIssue(world, issue));
  if (world.deployment === "cloud") {
    api.post("/search/jql", async (call) => {
      const { jql, maxResults, nextPageToken } = await call.req.json();
      const all = find(jql, call.get("me"));
      const from = Number(nextPageToken ?? 0);
      const to = from + Math.min(maxResults, MAX_PAGE);
      const isLast = to >= all.length;
      return call.json({ issues: all.slice(from, to), isLast, ...(isLast ? {} : { nextPageToken: String(to) }) });
    });
  } else {
    api.post("/search", async (call) => {
      const { jql, maxResults, startAt } = await call.req.json();
      const all = find(jql, call.get("me"));
      const issues = all.slice(startAt, startAt + Math.min(maxResults, MAX_PAGE));
      return call.json({ startAt, maxResults, total: all.length, issues });
    });
  }
}
