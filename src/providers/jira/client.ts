import { type ZodType, z } from "zod";
import type { Host } from "../../ports/host.ts";
import type { HttpRequest } from "../../ports/http.ts";
import { askJson } from "../web/ask.ts";
import { parseAnswer } from "../web/parse-answer.ts";
import { type Deployment, deploymentOf, requireAccess } from "./address.ts";
import { judgeAnswer } from "./errors.ts";

export interface JiraCall<T> {
  readonly method: HttpRequest["method"];
  /** Below `/rest/api/3` or `/rest/api/2`: `/issue/ENG-1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: ZodType<T>;
  /** A search is sent as a POST, but changes nothing. */
  readonly isRead?: boolean;
}

/** One Jira with one account. Every failure is a PluginError with a category; every answer is parsed. */
export interface JiraClient {
  ask<T>(call: JiraCall<T>): Promise<T>;
  deployment(): Promise<Deployment>;
  /** The URL of its web pages. */
  baseUrl(): string;
}

const ServerInfo = z.object({ deploymentType: z.string().nullish() });

/** Reads the environment for each call, so that a new token takes effect at once. */
export function createJiraClient(
  host: Host,
  settings: { readonly baseUrl?: string | undefined; readonly deployment?: Deployment | undefined },
): JiraClient {
  let known: Deployment | null = settings.deployment ?? null;
  const send = async <T>(version: 2 | 3, call: JiraCall<T>): Promise<T> => {
    const { baseUrl, authorization } = requireAccess(host, settings.baseUrl);
    const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query)}`;
    const url = `${baseUrl}/rest/api/${version}${call.path}${query}`;
    const isWrite = call.method !== "GET" && call.isRead !== true;
    const what = `${call.method} ${call.path}`;
    const headers = { authorization, accept: "application/json" };
    const body =
      call.body === undefined
        ? { headers }
        : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(call.body) };
    const asked = { what, isWrite, host: new URL(baseUrl).host };
    const answer = await askJson(
      host,
      { method: call.method, url, ...body },
      { plugin: "jira", what, isWrite, judge: (one) => judgeAnswer(one, asked) },
    );
    return parse(call.answer, answer.body, what);
  };
  const deployment = async (): Promise<Deployment> => {
    known ??= deploymentOf(requireAccess(host, settings.baseUrl).baseUrl);
    if (known !== null) return known;
    const { deploymentType } = await send(2, { method: "GET", path: "/serverInfo", answer: ServerInfo });
    known = deploymentType?.toLowerCase() === "cloud" ? "cloud" : "server";
    return known;
  };
  return {
    deployment,
    baseUrl: () => requireAccess(host, settings.baseUrl).baseUrl,
    ask: async (call) => send((await deployment()) === "cloud" ? 3 : 2, call),
  };
}

function parse<T>(schema: ZodType<T>, data: unknown, what: string): T {
  return parseAnswer(schema, data, { plugin: "jira", vendor: "Jira", what });
}
