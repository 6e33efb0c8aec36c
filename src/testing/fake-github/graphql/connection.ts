import { GraphQLError } from "graphql";

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** A page of a list, as in GitHub's schema; cursors are positions. */
export function connection<T>(items: readonly T[], page: PageArguments): unknown {
  if (page.first == null && page.last == null) {
    throw new GraphQLError("You must provide a `first` or `last` value to properly paginate the connection.");
  }
  if ((page.first ?? page.last ?? 0) > 100) throw new GraphQLError("Requesting more than 100 records is not allowed.");
  const from = page.after == null ? 0 : Number(page.after) + 1;
  const to = page.before == null ? items.length : Number(page.before);
  const start = page.last == null ? from : Math.max(from, to - page.last);
  const end = page.first == null ? to : Math.min(to, from + page.first);
  const nodes = items.slice(start, end);
  const cursor = (index: number): string | null => (nodes.length === 0 ? null : String(index));
  return {
    totalCount: items.length,
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: String(start + index) })),
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: cursor(start),
      endCursor: cursor(end - 1),
    },
  };
}

/** GitHub's error for something that the token may not read; the field is then null. */
export function forbidden(): GraphQLError {
  return new GraphQLError("Resource not accessible by integration", { extensions: { type: "FORBIDDEN" } });
}

/** GitHub's error for something that does not exist; the field is then null. */
export function unresolved(what: string): GraphQLError {
  return new GraphQLError(`Could not resolve to ${what}.`, { extensions: { type: "NOT_FOUND" } });
}
