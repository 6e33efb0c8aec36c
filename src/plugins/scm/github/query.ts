import { z } from "zod";

/** Which part of a pull request to query: its commit with the checks, the discussion, or both. */
export type Part = "facts" | "talk";

/** A token without access to Actions may not read it; the rest of the answer is still good. */
export const OPTIONAL_FIELD = "workflowRun";

const RUN = `databaseId name status conclusion detailsUrl startedAt completedAt
      checkSuite { databaseId ${OPTIONAL_FIELD} { event workflow { name } } }`;

const CHECKS = `__typename
    ... on CheckRun { ${RUN} }
    ... on StatusContext { id context state targetUrl }`;

const REQUIRED_CHECKS = `__typename
    ... on CheckRun { ${RUN} isRequired(pullRequestNumber: 0) }
    ... on StatusContext { id context state targetUrl isRequired(pullRequestNumber: 0) }`;

const AFTER = "pageInfo { hasNextPage endCursor }";
const BEFORE = "pageInfo { hasPreviousPage startCursor }";
const COMMENT = "databaseId body authorAssociation author { login __typename }";
const NOTE = `${COMMENT} pullRequestReview { databaseId }`;

/** The lists that may be longer than a page, from their arguments: `first: 100, after: "x"`. */
export const LISTS = {
  checks: (page: string) => `commits(last: 1) { nodes { commit { oid statusCheckRollup { contexts(${page}) {
    ${AFTER} nodes { ${REQUIRED_CHECKS} } } } } } }`,
  baseChecks: (page: string) =>
    `target { oid ... on Commit { statusCheckRollup { contexts(${page}) { ${AFTER} nodes { ${CHECKS} } } } } }`,
  reviews: (page: string) =>
    `reviews(${page}) { ${BEFORE} nodes { databaseId state body authorAssociation author { login __typename } commit { oid } } }`,
  threads: (page: string) => `reviewThreads(${page}) { ${BEFORE} nodes {
    id isResolved path line resolvedBy { login } ${LISTS.notes("first: 50")} } }`,
  notes: (page: string): string => `comments(${page}) { ${AFTER} nodes { ${NOTE} } }`,
  comments: (page: string) => `comments(${page}) { ${BEFORE} nodes { ${COMMENT} } }`,
} as const;

const FACTS = `updatedAt state url headRefOid baseRefName isDraft mergeStateStatus
  mergeQueueEntry { position }
  autoMergeRequest { enabledBy { login } }
  mergedBy { login }
  mergeCommit { oid }
  ${LISTS.checks("first: 100")}`;

// Threads with their comments are the expensive part: GitHub counts each possible thread.
const TALK = `labels(first: 100) { nodes { name } }
  ${LISTS.reviews("last: 100")}
  ${LISTS.threads("last: 100")}
  ${LISTS.comments("last: 100")}`;

/** Why it last left the merge queue; queried only for those that were in it. */
export const REMOVALS = `timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) { nodes {
    ... on RemovedFromMergeQueueEvent { id reason beforeCommit { statusCheckRollup { contexts(first: 100) { nodes {
      ${CHECKS}
    } } } } } } }`;

/** The commit of the base with its checks. */
const BASE = LISTS.baseChecks("first: 100");

/** Pull requests of one repository, and the branch whose commit is queried with them. */
export interface PullsQuestion {
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly base: string;
  readonly numbers: readonly number[];
  readonly parts: readonly Part[];
  /** Those that were in the merge queue. */
  readonly queued: ReadonlySet<number>;
}

/** One query for pull requests of several repositories: `r0`, `r1` and so on, with a field per pull request. */
export function changesQuery(questions: readonly PullsQuestion[]): {
  readonly query: string;
  readonly variables: Readonly<Record<string, string>>;
} {
  const names = questions.map((_, at) => `$owner${at}: String!, $name${at}: String!, $base${at}: String!`);
  const variables = questions.flatMap(({ repository, base }, at) => [
    [`owner${at}`, repository.owner],
    [`name${at}`, repository.repo],
    [`base${at}`, `refs/heads/${base}`],
  ]);
  const repositories = questions.map((question, at) => repositoryField(question, at));
  return {
    query: `query (${names.join(", ")}) {\n${repositories.join("\n")}\n}`,
    variables: Object.fromEntries(variables) as Record<string, string>,
  };
}

function repositoryField({ numbers, parts, queued }: PullsQuestion, at: number): string {
  const fields = `${parts.includes("facts") ? FACTS : ""} ${parts.includes("talk") ? TALK : ""}`;
  const pulls = numbers.map((number) => {
    const own = forPull(fields, number);
    return `p${number}: pullRequest(number: ${number}) { number ${own} ${queued.has(number) ? REMOVALS : ""} }`;
  });
  return `r${at}: repository(owner: $owner${at}, name: $name${at}) {
  ref(qualifiedName: $base${at}) { ${parts.includes("facts") ? BASE : "target { oid }"} } ${pulls.join("\n")} }`;
}

/** The fields of one pull request. */
export function forPull(fields: string, number: number): string {
  return fields.replaceAll("pullRequestNumber: 0", `pullRequestNumber: ${number}`);
}

const Login = z.object({ login: z.string(), __typename: z.string().optional() }).nullish();

const nodes = <T extends z.ZodType>(node: T) =>
  z
    .object({ nodes: z.array(node.nullable().catch(null)).nullish() })
    .nullish()
    .transform((found) => (found?.nodes ?? []).flatMap((one) => (one === null ? [] : [one as z.infer<T>])));

/** The run of a workflow that a check belongs to; other apps have only the suite. */
const Suite = z.object({
  databaseId: z.number().nullish(),
  workflowRun: z.object({ event: z.string(), workflow: z.object({ name: z.string() }) }).nullish(),
});

const Context = z.discriminatedUnion("__typename", [
  z.object({
    __typename: z.literal("CheckRun"),
    databaseId: z.number(),
    name: z.string(),
    status: z.string(),
    conclusion: z.string().nullish(),
    detailsUrl: z.string().nullish(),
    startedAt: z.string().nullish(),
    completedAt: z.string().nullish(),
    checkSuite: Suite.nullish(),
    isRequired: z.boolean().nullish(),
  }),
  z.object({
    __typename: z.literal("StatusContext"),
    id: z.string(),
    context: z.string(),
    state: z.string(),
    targetUrl: z.string().nullish(),
    isRequired: z.boolean().nullish(),
  }),
]);
export type Context = z.infer<typeof Context>;

const Comment = z.object({
  databaseId: z.number(),
  body: z.string(),
  author: Login,
  authorAssociation: z.string().nullish(),
  pullRequestReview: z.object({ databaseId: z.number() }).nullish(),
});
export type Comment = z.infer<typeof Comment>;

const Thread = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  path: z.string().nullish(),
  line: z.number().nullish(),
  resolvedBy: Login,
  comments: nodes(Comment),
});
export type Thread = z.infer<typeof Thread>;

const Review = z.object({
  databaseId: z.number(),
  state: z.string(),
  body: z.string(),
  author: Login,
  authorAssociation: z.string().nullish(),
  commit: z.object({ oid: z.string() }).nullish(),
});
export type Review = z.infer<typeof Review>;

const Rollup = z.object({ contexts: nodes(Context) }).nullish();

export const Removals = nodes(
  z.object({
    id: z.string(),
    reason: z.string().nullish(),
    /** The merge that the queue tried. */
    beforeCommit: z.object({ statusCheckRollup: Rollup }).nullish().catch(null),
  }),
);

/** Lists with more pages than are read. */
const Unread = z.array(z.string()).default([]);

export const Facts = z.object({
  number: z.number(),
  updatedAt: z.string(),
  state: z.enum(["OPEN", "CLOSED", "MERGED"]),
  url: z.string().nullish(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  isDraft: z.boolean().nullish(),
  mergeStateStatus: z.string().nullish(),
  mergeQueueEntry: z.object({ position: z.number() }).nullish(),
  timelineItems: Removals,
  autoMergeRequest: z.object({ enabledBy: Login }).nullish(),
  mergedBy: Login,
  mergeCommit: z.object({ oid: z.string() }).nullish(),
  commits: nodes(z.object({ commit: z.object({ oid: z.string(), statusCheckRollup: Rollup }) })),
  unread: Unread,
});
export type Facts = z.infer<typeof Facts>;

export const Talk = z.object({
  number: z.number(),
  labels: nodes(z.object({ name: z.string() })),
  reviews: nodes(Review),
  reviewThreads: nodes(Thread),
  comments: nodes(Comment),
  unread: Unread,
});
export type Talk = z.infer<typeof Talk>;

export type Pull = Facts & Talk;

/** The newest commit of the base. */
export const Base = z.object({ oid: z.string(), statusCheckRollup: Rollup.catch(null) });

/** The answer: repositories and pull requests by their own names; unreadable ones are null. */
export const ChangesAnswer = z.record(
  z.string(),
  z.looseObject({ ref: z.object({ target: z.unknown() }).nullish() }).nullable(),
);
