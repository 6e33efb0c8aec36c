import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Issue, MergeRequest, Project, Token, User } from "../model.ts";
import { findProject, type World } from "../world.ts";

/** What the routes find in their context. */
export interface Variables {
  readonly token: Token;
  readonly user: User;
}

export type Api = Hono<{ Variables: Variables }>;
// biome-ignore lint/suspicious/noExplicitAny: the path's parameters are read by name, with a check
export type Call = Context<{ Variables: Variables }, any>;

/** An unsuccessful answer, in GitLab's form. */
export class HttpProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly said: unknown;

  constructor(status: ContentfulStatusCode, said: unknown) {
    super(String(said));
    this.status = status;
    this.said = said;
  }
}

export function notFound(what: string): HttpProblem {
  return new HttpProblem(404, `404 ${what} Not Found`);
}

export function projectOf(world: World, call: Call): Project {
  const project = findProject(world, call.req.param("id") ?? "");
  if (project === null) throw notFound("Project");
  return project;
}

export function issueOf(project: Project, call: Call): Issue {
  const issue = project.issues.get(Number(call.req.param("iid")));
  if (issue === undefined) throw new HttpProblem(404, "404 Not found");
  return issue;
}

export function mergeRequestOf(project: Project, call: Call): MergeRequest {
  const request = project.mergeRequests.get(Number(call.req.param("iid")));
  if (request === undefined) throw new HttpProblem(404, "404 Not found");
  return request;
}

/** Body and query together: GitLab accepts a parameter in either. */
export async function bodyOf(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const text = await call.req.text();
  try {
    return { ...call.req.query(), ...(text === "" ? {} : (JSON.parse(text) as object)) };
  } catch {
    throw new HttpProblem(400, "400 Bad request - The request body is not valid JSON");
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Names in a comma-separated list or an array. */
export function namesOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "string") return undefined;
  return value.split(",").flatMap((name) => name.trim() || []);
}

/** One page of a list, with GitLab's headers. */
export function sendPage(call: Call, items: readonly unknown[]): Response {
  const { page, size } = pageOf(call);
  const last = Math.max(1, Math.ceil(items.length / size));
  call.header("x-page", String(page));
  call.header("x-per-page", String(size));
  call.header("x-total", String(items.length));
  call.header("x-total-pages", String(last));
  call.header("x-prev-page", page > 1 ? String(page - 1) : "");
  call.header("x-next-page", page < last ? String(page + 1) : "");
  return call.json(items.slice((page - 1) * size, page * size));
}

function pageOf(call: Call): { readonly page: number; readonly size: number } {
  const size = Math.min(100, Number(call.req.query("per_page") ?? 20) || 20);
  return { page: Math.max(1, Number(call.req.query("page") ?? 1) || 1), size };
}
