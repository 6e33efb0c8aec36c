import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Account, Issue, Pull, Repository, Token } from "../model.ts";
import { findRepository, mayRead, type World } from "../world.ts";

/** What the routes find in their context. */
export interface Variables {
  readonly token: Token;
  readonly account: Account;
}

export type Api = Hono<{ Variables: Variables }>;
// biome-ignore lint/suspicious/noExplicitAny: the path's parameters are read by name, with a check
export type Call = Context<{ Variables: Variables }, any>;

/** An unsuccessful answer, in GitHub's form. */
export class HttpProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: ContentfulStatusCode, message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

export function notFound(): HttpProblem {
  return new HttpProblem(404, "Not Found");
}

/** A rejected body, in GitHub's words. */
export function invalid(resource: string, field: string, code: string): HttpProblem {
  return new HttpProblem(422, "Validation Failed", { errors: [{ resource, field, code }] });
}

export function repositoryOf(world: World, call: Call): Repository {
  const repository = findRepository(world, call.req.param("owner") ?? "", call.req.param("repo") ?? "");
  if (repository === null || !mayRead(call.get("token"), repository)) throw notFound();
  return repository;
}

export function issueOf(repository: Repository, call: Call): Issue {
  const issue = repository.issues.get(Number(call.req.param("number")));
  if (issue === undefined) throw notFound();
  return issue;
}

export function pullOf(repository: Repository, call: Call): Pull {
  const pull = repository.pulls.get(Number(call.req.param("number")));
  if (pull === undefined) throw notFound();
  return pull;
}

export async function bodyOf(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const text = await call.req.text();
  if (text === "") return {};
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    throw new HttpProblem(400, "Problems parsing JSON");
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Names in a list of strings, or of objects with a name. */
export function namesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((one) => (typeof one === "string" ? one : String((one as { name?: unknown }).name)));
}

/** One page of a list, with links to its neighbors. */
export function sendPage(call: Call, items: readonly unknown[]): Response {
  setLinks(call, items.length);
  return call.json(cutPage(call, items));
}

/** The requested part of a list. */
export function cutPage<T>(call: Call, items: readonly T[]): readonly T[] {
  const { page, size } = pageOf(call);
  return items.slice((page - 1) * size, page * size);
}

export function setLinks(call: Call, total: number): void {
  const { page, size } = pageOf(call);
  const last = Math.max(1, Math.ceil(total / size));
  const link = (to: number, rel: string): string => {
    const url = new URL(call.req.url);
    url.searchParams.set("page", String(to));
    return `<${url.href}>; rel="${rel}"`;
  };
  const before = page > 1 ? [link(page - 1, "prev"), link(1, "first")] : [];
  const after = page < last ? [link(page + 1, "next"), link(last, "last")] : [];
  const links = [...before, ...after];
  if (links.length > 0) call.header("link", links.join(", "));
}

function pageOf(call: Call): { readonly page: number; readonly size: number } {
  const size = Math.min(100, Number(call.req.query("per_page") ?? 30) || 30);
  return { page: Math.max(1, Number(call.req.query("page") ?? 1) || 1), size };
}
