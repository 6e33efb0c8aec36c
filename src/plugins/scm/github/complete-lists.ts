import { z } from "zod";
import { forPull, LISTS, OPTIONAL_FIELD } from "./query.ts";
import type { GithubTools } from "./tools.ts";

/** GitHub's largest page, and how many pages of one list are read in all. */
const PAGE = 100;
const MAX_PAGES = 10;
export const MAX_READ = PAGE * MAX_PAGES;

const Info = z.object({
  hasNextPage: z.boolean().nullish(),
  endCursor: z.string().nullish(),
  hasPreviousPage: z.boolean().nullish(),
  startCursor: z.string().nullish(),
});
const List = z.looseObject({ nodes: z.array(z.unknown()), pageInfo: Info.nullish() });
type List = z.infer<typeof List>;

/** How to read another page of a list. */
interface Source {
  readonly query: (page: string) => string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Finds the list in the answer to that query; null: it is another list now. */
  readonly pick: (answer: unknown) => unknown;
}

/** A list of a pull request that GitHub returns in pages. */
interface PullList {
  /** For people. */
  readonly name: string;
  readonly fields: (page: string) => string;
  /** Where it is, in the record and in the answer. */
  readonly path: readonly (string | number)[];
}

const CONTEXTS = ["statusCheckRollup", "contexts"];
const CHECKS = ["commits", "nodes", 0, "commit"] as const;
const THREADS: PullList = { name: "review threads", fields: LISTS.threads, path: ["reviewThreads"] };
const PULL_LISTS: readonly PullList[] = [
  { name: "checks", fields: LISTS.checks, path: [...CHECKS, ...CONTEXTS] },
  { name: "reviews", fields: LISTS.reviews, path: ["reviews"] },
  { name: "comments", fields: LISTS.comments, path: ["comments"] },
  THREADS,
];

/**
 * The unparsed record of a pull request with the other pages of its lists; `unread` names those that have even more.
 * Null: it changed meanwhile, so the next poll has to read it.
 */
export async function completePull(tools: GithubTools, pull: unknown): Promise<unknown> {
  const number = z.looseObject({ number: z.number() }).safeParse(pull).data?.number;
  if (number === undefined) return pull;
  const { owner, repo: name } = tools.repository;
  const unread: string[] = [];
  for (const { name: words, fields, path } of PULL_LISTS) {
    const record = (answer: unknown): unknown => at(answer, ["repository", "pullRequest"]);
    const source: Source = {
      query: (page) => `query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
        pullRequest(number: ${number}) { ${forPull(fields(page), number)} } } }`,
      variables: { owner, name },
      pick: (answer) => (isSameCommit(pull, record(answer)) ? at(record(answer), path) : null),
    };
    const state = await complete(tools, at(pull, path), source);
    if (state === "changed") return null;
    if (state === "cut") unread.push(words);
  }
  if (await completeThreads(tools, at(pull, THREADS.path))) unread.push("comments in a thread");
  return unread.length === 0 ? pull : { ...(pull as object), unread };
}

/** The unparsed commit of the base, with all of its checks. */
export async function completeBase(tools: GithubTools, base: unknown, branch: string): Promise<unknown> {
  const { owner, repo: name } = tools.repository;
  const target = (answer: unknown): unknown => at(answer, ["repository", "ref", "target"]);
  const source: Source = {
    query: (page) => `query ($owner: String!, $name: String!, $base: String!) {
      repository(owner: $owner, name: $name) { ref(qualifiedName: $base) { ${LISTS.baseChecks(page)} } } }`,
    variables: { owner, name, base: `refs/heads/${branch}` },
    pick: (answer) => (at(target(answer), ["oid"]) === at(base, ["oid"]) ? at(target(answer), CONTEXTS) : null),
  };
  // A base that moved while it was read is reported with what was read; the next poll reads the new one.
  await complete(tools, at(base, CONTEXTS), source);
  return base;
}

/** Is there a thread with more comments than are read? */
async function completeThreads(tools: GithubTools, threads: unknown): Promise<boolean> {
  let isCut = false;
  for (const thread of List.safeParse(threads).data?.nodes ?? []) {
    const source: Source = {
      query: (page) => `query ($id: ID!) { node(id: $id) { ... on PullRequestReviewThread { ${LISTS.notes(page)} } } }`,
      variables: { id: at(thread, ["id"]) },
      pick: (answer) => at(answer, ["node", "comments"]),
    };
    if ((await complete(tools, at(thread, ["comments"]), source)) === "cut") isCut = true;
  }
  return isCut;
}

/** Adds the other pages to a list, in place. */
async function complete(tools: GithubTools, list: unknown, source: Source): Promise<"all" | "cut" | "changed"> {
  const first = List.safeParse(list).data;
  let next = first === undefined ? null : nextPage(first);
  if (first === undefined || next === null) return "all";
  const pages = [first];
  while (next !== null && pages.length < MAX_PAGES) {
    const { query, variables, pick } = source;
    const call = { query: query(next), variables, answer: z.unknown(), optional: OPTIONAL_FIELD, isBackground: true };
    const page = List.safeParse(pick((await tools.client.graphql(call)).data)).data;
    if (page === undefined) return "changed";
    pages.push(page);
    next = nextPage(page);
  }
  const isBackwards = first.pageInfo?.hasPreviousPage === true;
  const inOrder = isBackwards ? pages.reverse() : pages;
  (list as { nodes: unknown[] }).nodes = inOrder.flatMap(({ nodes }) => nodes);
  return next === null ? "all" : "cut";
}

/** The arguments for the page that follows; null: none does. */
function nextPage({ pageInfo }: List): string | null {
  if (pageInfo?.hasPreviousPage === true && pageInfo.startCursor != null) {
    return `last: ${PAGE}, before: ${JSON.stringify(pageInfo.startCursor)}`;
  }
  if (pageInfo?.hasNextPage !== true || pageInfo.endCursor == null) return null;
  return `first: ${PAGE}, after: ${JSON.stringify(pageInfo.endCursor)}`;
}

// Checks of another commit say nothing about this one. The other lists have no commit.
function isSameCommit(pull: unknown, other: unknown): boolean {
  const oid = [...CHECKS, "oid"];
  return at(other, oid) === undefined || at(pull, oid) === at(other, oid);
}

/** What an unparsed answer has at a path; undefined: nothing. */
function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (found as Readonly<Record<string, unknown>> | null | undefined)?.[key],
    value,
  );
}
