import type { ZodType } from "zod";
import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import { askJson } from "../web/ask.ts";
import { parseAnswer } from "../web/parse-answer.ts";
import { judgeAnswer } from "./errors.ts";

export const TOKEN_VARIABLE = "LINEAR_API_KEY";
const DEFAULT_URL = "https://api.linear.app/graphql";

export interface LinearCall<T> {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The schema of the answer's `data`. */
  readonly answer: ZodType<T>;
}

/** One Linear with one key. Every failure is a PluginError with a category; every answer is parsed. */
export interface LinearClient {
  ask<T>(call: LinearCall<T>): Promise<T>;
}

/** Reads the key from the environment for each call, so that a new one takes effect at once. */
export function createLinearClient(host: Host, baseUrl: string | undefined): LinearClient {
  const url = baseUrl ?? DEFAULT_URL;
  return {
    ask: async ({ query, variables = {}, answer }) => {
      const token = requireToken(host);
      const isWrite = /^\s*mutation\b/.test(query);
      const what = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? "the query";
      const { body } = await askJson(
        host,
        {
          method: "POST",
          url,
          // A personal key is sent as is; an application's token as a bearer token.
          headers: {
            authorization: token.startsWith("lin_oauth_") ? `Bearer ${token}` : token,
            "content-type": "application/json",
          },
          body: JSON.stringify({ query, variables }),
        },
        { plugin: "linear", what, isWrite, judge: (one) => judgeAnswer(one, { what, isWrite, now: host.clock.now() }) },
      );
      return parse(answer, (body as { readonly data?: unknown } | null)?.data, what);
    },
  };
}

/** The key, or null if there is none. */
export function findToken(host: Host): string | null {
  const value = host.env[TOKEN_VARIABLE]?.trim() ?? "";
  return value === "" ? null : value;
}

function requireToken(host: Host): string {
  const token = findToken(host);
  if (token !== null) return token;
  throw new PluginError({
    plugin: "linear",
    category: "auth",
    message: `There is no ${TOKEN_VARIABLE}.`,
    hint: `Create a key at https://linear.app/settings/account/security, set ${TOKEN_VARIABLE}, and run \`ao start\`.`,
  });
}

function parse<T>(schema: ZodType<T>, data: unknown, what: string): T {
  return parseAnswer(schema, data, { plugin: "linear", vendor: "Linear", what });
}
