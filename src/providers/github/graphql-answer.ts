import { z } from "zod";
import { PluginError, type PluginErrorCategory } from "../../core/errors.ts";

export interface GraphqlAnswer<T> {
  readonly data: T;
  /** Paths that GitHub could not resolve: a missing issue, a repository that the token cannot see. */
  readonly missing: readonly string[];
}

const GraphqlError = z.object({
  type: z.string().optional(),
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
});
type GraphqlError = z.infer<typeof GraphqlError>;

const Answer = z.object({ data: z.unknown().optional(), errors: z.array(GraphqlError).optional() });

const CATEGORIES: Readonly<Record<string, PluginErrorCategory>> = {
  RATE_LIMITED: "rate-limited",
  FORBIDDEN: "auth",
  INSUFFICIENT_SCOPES: "auth",
  UNAUTHORIZED: "auth",
};

interface Asked {
  readonly host: string;
  /** The name of a field that the token need not be allowed to read. */
  readonly optional?: string | undefined;
}

/** The data of a GraphQL answer; throws any error other than "not found". */
export function readGraphql(body: unknown, { host, optional }: Asked): GraphqlAnswer<unknown> {
  const answer = Answer.safeParse(body);
  if (!answer.success) {
    throw new PluginError({
      plugin: "github",
      category: "bad-response",
      message: `${host} answered the query with something that is not a GraphQL response.`,
    });
  }
  const { data, errors = [] } = answer.data;
  const isExpected = ({ type = "", path }: GraphqlError): boolean =>
    type === "NOT_FOUND" || (CATEGORIES[type] === "auth" && optional !== undefined && path?.at(-1) === optional);
  const serious = errors.find((error) => !isExpected(error));
  if (serious !== undefined) {
    const category = CATEGORIES[serious.type ?? ""] ?? "bad-response";
    const message = `${host} refused the query: ${serious.message.replace(/\s+/g, " ").slice(0, 300)}`;
    // GraphQL gives no time; the next window starts within the hour.
    const retry = category === "rate-limited" ? { retryAfterMs: 60_000 } : {};
    throw new PluginError({ plugin: "github", category, message, ...retry });
  }
  return { data, missing: errors.map(({ path = [] }) => path.join(".")) };
}
