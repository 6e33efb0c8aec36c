import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { LinearClient } from "../../../providers/linear/client.ts";
import { MORE_LABELS, MORE_RELATIONS } from "./queries.ts";

const MAX_PAGES = 20;

const List = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});
const Answer = z.object({ issue: z.object({ list: List }) });
const Record = z.looseObject({ id: z.string(), labels: List, inverseRelations: List });

/** An issue as the list returned it, unparsed, with the labels and relations that did not fit there. */
export async function completeIssue(client: LinearClient, record: unknown): Promise<unknown> {
  const issue = Record.safeParse(record).data;
  if (issue === undefined) return record;
  const { id, labels, inverseRelations } = issue;
  return {
    ...issue,
    labels: { nodes: await readRest(client, { id, query: MORE_LABELS }, labels) },
    inverseRelations: { nodes: await readRest(client, { id, query: MORE_RELATIONS }, inverseRelations) },
  };
}

async function readRest(
  client: LinearClient,
  { id, query }: { readonly id: string; readonly query: string },
  first: z.infer<typeof List>,
): Promise<readonly unknown[]> {
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  for (let page = 1; pageInfo.hasNextPage && pageInfo.endCursor != null; page += 1) {
    // A dependency that is not read would let an agent start too early.
    if (page > MAX_PAGES) throw tooMany(id);
    const variables = { id, after: pageInfo.endCursor };
    const { list } = (await client.ask({ query, variables, answer: Answer })).issue;
    nodes.push(...list.nodes);
    pageInfo = list.pageInfo;
  }
  return nodes;
}

function tooMany(id: string): PluginError {
  const message = `Linear's issue ${id} has more than ${MAX_PAGES * 100} labels or relations.`;
  return new PluginError({ plugin: "linear", category: "bad-response", message });
}
