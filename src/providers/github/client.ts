import type { ZodType } from "zod";
import type { Host } from "../../ports/host.ts";
import { parseAnswer } from "../web/parse-answer.ts";
import type { GithubAddress } from "./address.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { toPluginError } from "./errors.ts";
import { type GraphqlAnswer, readGraphql } from "./graphql-answer.ts";
import type { GithubOctokit } from "./octokit.ts";
import { accountOf, dropToken, requireToken, scopeOf, type TokenUse } from "./token.ts";
import { createTransport } from "./transport.ts";

type Parameters = Readonly<Record<string, unknown>>;

export interface RestCall<T> {
  /** As in GitHub's documentation: `GET /repos/{owner}/{repo}/issues`. */
  readonly route: string;
  readonly parameters?: Parameters;
  readonly answer: ZodType<T>;
  /** Background work, which does not use the reserve of the rate limit. */
  readonly isBackground?: boolean;
}

export interface GraphqlCall<T> {
  readonly query: string;
  readonly variables?: Parameters;
  readonly answer: ZodType<T>;
  /** The name of a field that is null, and no error, if the token may not read it. */
  readonly optional?: string;
  readonly isBackground?: boolean;
}

/** One GitHub with one token. Every failure is a PluginError with a category; every answer is parsed. */
export interface GithubClient {
  readonly address: GithubAddress;
  /** What its token is for: `owner/repo` for that of an App, everything if empty. */
  readonly scope: string;
  readonly budget: Budget;
  rest<T>(call: RestCall<T>): Promise<T>;
  /** All pages of a list, unparsed: the caller parses the records one by one. */
  pages(call: Omit<RestCall<never>, "answer">): Promise<readonly unknown[]>;
  /** Fields that GitHub could not resolve are null, and listed in `missing`. */
  graphql<T>(call: GraphqlCall<T>): Promise<GraphqlAnswer<T>>;
  /** An answer with its headers, which list the token's permissions. */
  inspect<T>(call: RestCall<T>): Promise<{ readonly data: T; readonly headers: Readonly<Record<string, string>> }>;
}

interface Opened {
  readonly octokit: GithubOctokit;
  /** When its token expires; Infinity: when it is rejected. */
  readonly until: number;
}

/** A client for a host; Octokit and the token are loaded on the first call, and the token again before it expires or once it is rejected. */
export function createGithubClient(host: Host, identity: TokenUse): GithubClient {
  const { address } = identity;
  const budget = budgetOf(host, address.host, accountOf(host, identity));
  const transport = createTransport(host, budget);
  let opened: Promise<Opened> | null = null;
  const open = async (): Promise<Opened> => {
    const [{ createOctokit }, token] = await Promise.all([import("./octokit.ts"), requireToken(host, identity)]);
    return { octokit: createOctokit(address, token.value, transport), until: token.until ?? Number.POSITIVE_INFINITY };
  };
  const current = async (): Promise<GithubOctokit> => {
    opened ??= open();
    const { octokit, until } = await opened;
    if (host.clock.now() < until) return octokit;
    opened = open();
    return (await opened).octokit;
  };
  const use = async <T>(what: Use, work: (octokit: GithubOctokit) => Promise<T>): Promise<T> => {
    budget.require({ resource: what.resource, isBackground: what.isBackground });
    try {
      return await work(await current());
    } catch (error) {
      const known = toPluginError(error, { ...what, host: address.host, clock: host.clock });
      if (known.category === "auth") {
        opened = null;
        dropToken(host, identity);
      }
      // A rate limit outside this resource's budget limits the pace of all requests.
      const isPace = known.category === "rate-limited" && budget.view().get(what.resource)?.remaining !== 0;
      if (isPace) budget.holdOff(known.retryAfterMs ?? 0);
      throw known;
    }
  };
  const request = <T>(call: Omit<RestCall<T>, "answer">) => {
    const what = describeRest(call);
    const options = { ...call.parameters, ...(what.isWrite ? ONCE : {}) };
    return use(what, (octokit) => octokit.request(call.route, options));
  };
  return {
    address,
    scope: scopeOf(host, identity),
    budget,
    rest: async (call) => parse(call.answer, (await request(call)).data, describeRest(call).what),
    inspect: async (call) => {
      const { data, headers } = await request(call);
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      return { data: parse(call.answer, data, describeRest(call).what), headers: Object.fromEntries(texts) };
    },
    pages: (call) =>
      use(describeRest(call), (octokit) => octokit.paginate(call.route, { per_page: 100, ...call.parameters })),
    graphql: (call) => {
      const isWrite = /^\s*mutation\b/.test(call.query);
      const isBackground = call.isBackground ?? false;
      const what: Use = { what: "the query", resource: "graphql", isWrite, isBackground };
      return use(what, async (octokit) => {
        const body = { query: call.query, variables: call.variables ?? {}, ...(isWrite ? ONCE : {}) };
        const { data } = await octokit.request("POST /graphql", { ...body, baseUrl: graphqlBase(address) });
        const { data: found, missing } = readGraphql(data, { host: address.host, optional: call.optional });
        return { data: parse(call.answer, found, "the query"), missing };
      });
    },
  };
}

/** A write whose answer is lost may have succeeded, so Octokit must not resend it. */
const ONCE = { request: { retries: 0 } };

interface Use {
  readonly what: string;
  readonly resource: "core" | "graphql";
  readonly isWrite: boolean;
  readonly isBackground: boolean;
}

function describeRest(call: Omit<RestCall<unknown>, "answer">): Use {
  const fill = (_: string, name: string): string => String(call.parameters?.[name] ?? name);
  const what = call.route.replace(/\{(\w+)\}/g, fill);
  return { what, resource: "core", isWrite: !what.startsWith("GET "), isBackground: call.isBackground ?? false };
}

/** Enterprise has GraphQL beside its REST API, not below it. */
function graphqlBase({ graphql }: GithubAddress): string {
  return graphql.replace(/\/graphql$/, "");
}

function parse<T>(schema: ZodType<T>, data: unknown, what: string): T {
  return parseAnswer(schema, data, { plugin: "github", vendor: "GitHub", what });
}
