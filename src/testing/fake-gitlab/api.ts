import { Hono } from "hono";
import { withEtag } from "../fake-forge/etag.ts";
import type { Faults } from "../fake-forge/faults.ts";
import type { Limits } from "./limits.ts";
import { followBranches } from "./merge-requests.ts";
import type { Token } from "./model.ts";
import { type Api, HttpProblem, type Variables } from "./rest/context.ts";
import { routeIssues } from "./rest/issues.ts";
import { routeMergeRequests } from "./rest/merge-requests.ts";
import { routeNotes } from "./rest/notes.ts";
import { routePipelines } from "./rest/pipelines.ts";
import { routeProjects } from "./rest/projects.ts";
import { routeTrains } from "./rest/trains.ts";
import { findProject, fullPath, type World } from "./world.ts";

export interface ApiParts {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
}

/** REST v4 as one request handler; paths are those of GitLab's documentation. */
export function createApi({ world, limits }: ApiParts): (request: Request) => Promise<Response> {
  const api: Api = new Hono<{ Variables: Variables }>();
  api.use(async (call, next) => {
    const token = tokenOf(world, call.req.raw.headers);
    if (token === null) throw new HttpProblem(401, "401 Unauthorized");
    const canWrite = token.scopes.includes("api");
    if (!canWrite && call.req.method !== "GET") {
      return call.json({ error: "insufficient_scope", scope: "api" }, 403);
    }
    call.set("token", token);
    call.set("user", token.user);
    return next();
  });
  for (const route of [routeProjects, routeIssues, routeNotes, routeMergeRequests, routePipelines, routeTrains])
    route(api, world);
  api.notFound((call) => call.json({ error: "404 Not Found" }, 404));
  api.onError((error, call) => {
    if (!(error instanceof HttpProblem)) throw error;
    return call.json({ message: error.said }, error.status);
  });
  return (request) => answer(request, { world, limits, api });
}

interface Parts {
  readonly world: World;
  readonly limits: Limits;
  readonly api: Api;
}

/** Around every call: renamed projects, the rate limit, and unchanged answers. */
async function answer(request: Request, { world, limits, api }: Parts): Promise<Response> {
  const moved = redirectMoved(world, new URL(request.url));
  if (moved !== null) return moved;
  const token = tokenOf(world, request.headers)?.value ?? "";
  const isAllowed = limits.spend(token);
  const headers = limits.headers(token);
  if (!isAllowed)
    return new Response("Retry later\n", { status: 429, headers: { ...headers, ...limits.retry(token) } });
  for (const project of world.projects) await followBranches(world, project);
  const response = await withEtag(request, await api.fetch(request));
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function redirectMoved(world: World, url: URL): Response | null {
  const [, written = "", rest = ""] = /^\/projects\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  const wanted = decodeURIComponent(written);
  const project = findProject(world, wanted);
  if (project === null || !wanted.includes("/") || fullPath(project).toLowerCase() === wanted.toLowerCase())
    return null;
  const location = `${world.url}/api/v4/projects/${project.id}${rest}${url.search}`;
  return Response.json({ message: "301 Moved Permanently" }, { status: 301, headers: { location } });
}

/** The token of a request: `PRIVATE-TOKEN`, `Bearer`, or the basic authentication password. */
export function tokenOf(world: World, headers: Headers): Token | null {
  const [, kind = "", value = ""] = /^(\w+)\s+(.*)$/.exec(headers.get("authorization") ?? "") ?? [];
  const isBasic = kind.toLowerCase() === "basic";
  const text = isBasic ? (Buffer.from(value, "base64").toString("utf8").split(":")[1] ?? "") : value;
  const token = world.tokens.get(headers.get("private-token") ?? text);
  return token === undefined || token.isRevoked ? null : token;
}
