import type { ZodType } from "zod";
import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import { HttpError, type HttpRequest } from "../../ports/http.ts";
import { askJson, type JsonAnswer } from "../web/ask.ts";
import { judgeConnection } from "../web/connection-failure.ts";
import type { GitlabAddress } from "./address.ts";
import { judgeAnswer } from "./errors.ts";
import { requireToken } from "./token.ts";

type Value = string | number | boolean | readonly (string | number)[] | undefined;

interface Route {
  /** Below the API, as in GitLab's documentation: `/projects/:id/issues`; `:id` is the client's project. */
  readonly path: string;
  readonly query?: Readonly<Record<string, Value>>;
}

export interface ReadCall<T> extends Route {
  readonly answer: ZodType<T>;
}

export interface WriteCall<T> extends ReadCall<T> {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly body?: Readonly<Record<string, unknown>>;
}

/** One project of one GitLab with one token. Every failure is a PluginError with a category; every answer is parsed. */
export interface GitlabClient {
  readonly address: GitlabAddress;
  /** `group/project`. */
  readonly project: string;
  read<T>(call: ReadCall<T>): Promise<T>;
  /** All pages of a list, unparsed: the caller parses the records one by one. */
  pages(call: Route): Promise<readonly unknown[]>;
  write<T>(call: WriteCall<T>): Promise<T>;
  /** A text, such as the log of a job; null if there is none. */
  readText(call: Route): Promise<string | null>;
}

const PAGE = 100;
const MAX_RECORDS = 100_000;
const MAX_REDIRECTS = 2;

/** The token is looked up on the first call, and again once it is rejected. */
export function createGitlabClient(host: Host, address: GitlabAddress, project: string): GitlabClient {
  let token: Promise<string> | null = null;
  const authorize = async (): Promise<Readonly<Record<string, string>>> => {
    token ??= requireToken(host, address).then(({ value }) => value);
    return { authorization: `Bearer ${await token}`, accept: "application/json" };
  };
  const send = async (request: Request, left = MAX_REDIRECTS): Promise<JsonAnswer> => {
    const isWrite = request.method !== "GET";
    const asked = { plugin: "gitlab", what: request.what, isWrite };
    try {
      const headers = { ...(await authorize()), ...(request.body === undefined ? {} : JSON_BODY) };
      const { method, url, body } = request;
      const http = { method, url, headers, ...(body === undefined ? {} : { body }) };
      const judge = (answer: JsonAnswer) =>
        movedTo(answer, request.url) === null ? judgeAnswer(answer, { ...asked, host: address.host }) : null;
      const answer = await askJson(host, http, { ...asked, judge });
      const moved = movedTo(answer, request.url);
      if (moved === null) return answer;
      if (left === 0) throw badAnswer(request.what, "it redirects in a circle");
      return await send({ ...request, url: moved }, left - 1);
    } catch (error) {
      if (error instanceof PluginError && error.category === "auth") token = null;
      throw error;
    }
  };
  const requestOf = (method: HttpRequest["method"], { path, query = {} }: Route): Request => {
    const filled = path.replace(/^\/projects\/:id(?=\/|$)/, `/projects/${encodeURIComponent(project)}`);
    const what = `${method} ${path.replace(/^\/projects\/:id(?=\/|$)/, `/projects/${project}`)}`;
    return { method, url: `${address.api}${filled}${toQuery(query)}`, what };
  };
  return {
    address,
    project,
    read: async (call) => parse(call.answer, (await send(requestOf("GET", call))).body, call.path),
    pages: async (call) => {
      const records: unknown[] = [];
      for (let page: string = "1"; page !== ""; ) {
        if (records.length >= MAX_RECORDS) throw badAnswer(call.path, `it has more than ${MAX_RECORDS} records`);
        const query = { per_page: PAGE, ...call.query, page };
        const { body, headers } = await send(requestOf("GET", { path: call.path, query }));
        if (!Array.isArray(body)) throw badAnswer(call.path, "it is not a list");
        records.push(...body);
        page = headers["x-next-page"] ?? "";
      }
      return records;
    },
    write: async (call) => {
      const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
      return parse(call.answer, (await send({ ...requestOf(call.method, call), ...body })).body, call.path);
    },
    readText: async (call) => readText(host, { ...requestOf("GET", call), headers: await authorize() }, address),
  };
}

interface Request {
  readonly method: HttpRequest["method"];
  readonly url: string;
  readonly what: string;
  readonly body?: string;
}

const JSON_BODY = { "content-type": "application/json" };
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** GitLab redirects requests for a renamed project; the token is never sent to another host. */
function movedTo({ status, headers }: JsonAnswer, from: string): string | null {
  const location = headers["location"];
  if (![301, 302, 307, 308].includes(status) || location === undefined) return null;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin ? to.href : null;
}

async function readText(
  host: Host,
  request: Request & { readonly headers: Readonly<Record<string, string>> },
  address: GitlabAddress,
): Promise<string | null> {
  const { method, url, headers, what } = request;
  try {
    const read = { method, url, headers, maxBytes: MAX_TEXT_BYTES, isRead: true };
    const { status, body, headers: got } = await host.http(read);
    if (status === 404) return null;
    const verdict = judgeAnswer({ status, headers: got, body: null }, { host: address.host, isWrite: false, what });
    if (verdict !== null) throw new PluginError({ plugin: "gitlab", ...verdict });
    return body;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new PluginError({ plugin: "gitlab", ...judgeConnection(error, false) });
  }
}

function toQuery(query: Readonly<Record<string, Value>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) parameters.append(`${name}[]`, String(one));
    else if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function parse<T>(schema: ZodType<T>, data: unknown, what: string): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw badAnswer(what, `${first?.path.join(".") || "its top"}: ${first?.message ?? ""}`);
}

function badAnswer(what: string, why: string): PluginError {
  return new PluginError({
    plugin: "gitlab",
    category: "bad-response",
    message: `The answer to ${what} is not what GitLab documents: ${why}.`,
  });
}
