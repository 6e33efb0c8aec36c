import type { Host } from "../../ports/host.ts";
import type { HttpRequest, HttpResponse } from "../../ports/http.ts";
import type { Budget } from "./budget.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** Cached answers for conditional requests, which do not count against the budget. */
const MAX_KEPT = 500;
const MAX_KEPT_BYTES = 256 * 1024;

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Fetch = (url: string, init: Init) => Promise<Response>;

/** Octokit's transport: the host's HTTP, with redirects, conditional requests and the budget. */
export function createTransport(host: Host, budget: Budget): Fetch {
  const kept = new Map<string, { readonly etag: string; readonly response: HttpResponse }>();
  return async (url, init) => {
    const method = (init.method ?? "GET") as HttpRequest["method"];
    const before = method === "GET" ? kept.get(url) : undefined;
    const condition = before === undefined ? {} : { "if-none-match": before.etag };
    const body = typeof init.body === "string" ? { body: init.body } : {};
    const isRead = method === "GET" || isQuery(url, init.body);
    const asked = await follow(host, { method, url, headers: { ...init.headers, ...condition }, ...body, isRead });
    budget.note(asked.headers);
    if (asked.status === 304 && before !== undefined) return toResponse(url, before.response);
    if (method === "GET") keep(kept, url, asked);
    return toResponse(url, asked);
  };
}

/** GraphQL sends its reads by POST as well. */
function isQuery(url: string, body: unknown): boolean {
  if (!url.endsWith("/graphql") || typeof body !== "string") return false;
  const { query } = JSON.parse(body) as { readonly query?: unknown };
  return typeof query === "string" && /^\s*query\b/.test(query);
}

function keep(kept: Map<string, { etag: string; response: HttpResponse }>, url: string, response: HttpResponse): void {
  const { etag } = response.headers;
  kept.delete(url);
  if (response.status !== 200 || etag === undefined || response.truncated) return;
  if (response.body.length > MAX_KEPT_BYTES || mayGetNextPage(url, response)) return;
  kept.set(url, { etag, response });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** A full last page stays the same when another page follows it: only its link to that page is new. */
function mayGetNextPage(url: string, { headers, body }: HttpResponse): boolean {
  const size = new URL(url).searchParams.get("per_page");
  if (size === null || /rel="next"/.test(headers["link"] ?? "")) return false;
  try {
    const records: unknown = JSON.parse(body);
    return !Array.isArray(records) || records.length >= Number(size);
  } catch {
    return true;
  }
}

/** Renamed repositories and job logs redirect. The token is never sent to another host. */
async function follow(host: Host, request: HttpRequest, left = MAX_REDIRECTS): Promise<HttpResponse> {
  const response = await host.http({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  const location = response.headers["location"];
  const isRedirect = [301, 302, 307, 308].includes(response.status);
  if (!isRedirect || location === undefined || left === 0) return response;
  const from = new URL(request.url);
  const to = new URL(location, from);
  if (to.origin === from.origin) return follow(host, { ...request, url: to.href }, left - 1);
  // Only a read may go to another host, and without anything meant for GitHub.
  if (request.method !== "GET" || (from.protocol === "https:" && to.protocol !== "https:")) return response;
  return follow(host, { method: "GET", url: to.href, isRead: true }, left - 1);
}

function toResponse(url: string, { status, headers, body }: HttpResponse): Response {
  const isEmpty = status === 204 || status === 205 || status === 304;
  const response = new Response(isEmpty ? null : body, { status, headers: new Headers({ ...headers }) });
  Object.defineProperty(response, "url", { value: url });
  return response;
}
