import { Hono } from "hono";
import { withEtag } from "../fake-forge/etag.ts";
import type { Faults } from "../fake-forge/faults.ts";
import { createAppApi } from "./apps.ts";
import { executeGraphql } from "./graphql/execute.ts";
import type { Limits, Resource } from "./limits.ts";
import type { Token } from "./model.ts";
import { apiOf } from "./present/account.ts";
import { followBranches } from "./pulls.ts";
import { routeChecks } from "./rest/checks.ts";
import { routeComments, routeLabels } from "./rest/comments.ts";
import { type Api, HttpProblem, type Variables } from "./rest/context.ts";
import { routeIssues } from "./rest/issues.ts";
import { routePulls } from "./rest/pulls.ts";
import { routeRepository } from "./rest/repository.ts";
import { routeReviews } from "./rest/reviews.ts";
import { findRepository, type World } from "./world.ts";

const DOCS = "https://docs.github.com/rest";

export interface ApiParts {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
}

/** REST and GraphQL as one request handler; paths are those of GitHub's documentation. */
export function createApi({ world, limits }: ApiParts): (request: Request) => Promise<Response> {
  const api: Api = new Hono<{ Variables: Variables }>();
  api.use(async (call, next) => {
    const token = tokenOf(world, call.req.header("authorization"));
    if (token === null) throw new HttpProblem(401, "Bad credentials");
    call.set("token", token);
    call.set("account", token.account);
    await next();
  });
  api.get("/rate_limit", (call) => call.json(presentLimits(limits, call.get("token"))));
  for (const route of [routeRepository, routeIssues, routeComments, routeLabels]) route(api, world);
  for (const route of [routePulls, routeReviews, routeChecks]) route(api, world);
  api.post("/graphql", async (call) => {
    // The request itself costs the first point.
    const charge = (points: number): void => limits.charge(call.get("token").value, "graphql", points - 1);
    return call.json(await executeGraphql(world, call, charge));
  });
  api.notFound((call) => call.json({ message: "Not Found", documentation_url: DOCS, status: "404" }, 404));
  api.onError((error, call) => {
    if (!(error instanceof HttpProblem)) throw error;
    const { status, message, fields } = error;
    return call.json({ message, ...fields, documentation_url: DOCS, status: String(status) }, status);
  });
  const askedByApp = createAppApi(world);
  return (request) => askedByApp(request) ?? answer(request, { world, limits, api });
}

interface Parts {
  readonly world: World;
  readonly limits: Limits;
  readonly api: Api;
}

/** Around every call: renamed repositories, the budget, and unchanged answers. */
async function answer(request: Request, { world, limits, api }: Parts): Promise<Response> {
  const url = new URL(request.url);
  const moved = redirectMoved(world, url);
  if (moved !== null) return moved;
  const token = tokenOf(world, request.headers.get("authorization"))?.value;
  const resource: Resource = url.pathname === "/graphql" ? "graphql" : "core";
  if (token !== undefined && url.pathname !== "/rate_limit" && !limits.spend(token, resource)) {
    return exhausted(resource, limits.headers(token, resource));
  }
  for (const repository of world.repositories) await followBranches(world, repository);
  const response = await withEtag(request, await api.fetch(new Request(rewriteById(world, url), request)));
  const links = response.headers.get("link");
  if (links !== null) response.headers.set("link", links.replaceAll(`<${url.origin}`, `<${apiOf(world)}`));
  if (token === undefined) return response;
  if (response.status === 304) limits.refund(token, resource);
  for (const [name, value] of Object.entries(limits.headers(token, resource))) response.headers.set(name, value);
  const known = world.tokens.get(token);
  if (known?.expiresAt === undefined) response.headers.set("x-oauth-scopes", known?.scopes.join(", ") ?? "");
  return response;
}

/** GitHub answers requests for a former name or a moved issue with the URL by id. */
function redirectMoved(world: World, url: URL): Response | null {
  const [, owner = "", name = "", rest = ""] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  const repository = findRepository(world, owner, name);
  const [, number = "", below = ""] = /^\/issues\/(\d+)(\/.*)?$/.exec(rest) ?? [];
  const moved = repository?.moved.get(Number(number));
  if (repository === null) return null;
  if (moved === undefined && repository.name.toLowerCase() === name.toLowerCase()) return null;
  const path = moved === undefined ? `${repository.id}${rest}` : `${moved.to.id}/issues/${moved.number}${below}`;
  const location = `${apiOf(world)}/repositories/${path}${url.search}`;
  const body = { message: "Moved Permanently", url: location, documentation_url: DOCS };
  return Response.json(body, { status: 301, headers: { location } });
}

function rewriteById(world: World, url: URL): URL {
  const [, id, rest = ""] = /^\/repositories\/(\d+)(\/.*)?$/.exec(url.pathname) ?? [];
  const repository = world.repositories.find((one) => String(one.id) === id);
  if (repository === undefined) return url;
  return new URL(`/repos/${repository.owner.login}/${repository.name}${rest}${url.search}`, url);
}

function exhausted(resource: Resource, headers: Readonly<Record<string, string>>): Response {
  const message = "API rate limit exceeded for user ID 1001.";
  if (resource !== "graphql") return Response.json({ message, documentation_url: DOCS }, { status: 403, headers });
  return Response.json({ errors: [{ type: "RATE_LIMITED", message }] }, { status: 200, headers });
}

function presentLimits(limits: Limits, token: Token): unknown {
  const show = (resource: Resource): unknown => {
    const headers = limits.headers(token.value, resource);
    const number = (name: string): number => Number(headers[`x-ratelimit-${name}`]);
    return { limit: number("limit"), used: number("used"), remaining: number("remaining"), reset: number("reset") };
  };
  return { resources: { core: show("core"), graphql: show("graphql"), search: show("search") }, rate: show("core") };
}

/** The token of a request: `token X`, `Bearer X`, or the basic authentication password. */
export function tokenOf(world: World, authorization: string | null | undefined): Token | null {
  const [, kind = "", value = ""] = /^(\w+)\s+(.*)$/.exec(authorization ?? "") ?? [];
  const isBasic = kind.toLowerCase() === "basic";
  const text = isBasic ? (Buffer.from(value, "base64").toString("utf8").split(":")[1] ?? "") : value;
  const token = world.tokens.get(text);
  const isOver = token?.expiresAt !== undefined && token.expiresAt <= world.now();
  return token === undefined || token.isRevoked || isOver ? null : token;
}
