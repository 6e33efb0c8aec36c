import { z } from "zod";
import { CREATE_LABEL, LABELS } from "./queries.ts";
import type { Access } from "./read.ts";

const Found = z.object({
  issueLabels: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        isGroup: z.boolean(),
        team: z.object({ id: z.string() }).nullish(),
      }),
    ),
  }),
});
const Created = z.object({ issueLabelCreate: z.object({ issueLabel: z.object({ id: z.string() }) }) });

/** Ids of the labels of a team or of the workspace; a missing one is created for the team. */
export async function ensureLabels(
  { client }: Access,
  teamId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const filter = { or: names.map((name) => ({ name: { eqIgnoreCase: name } })) };
  const { issueLabels } = await client.ask({ query: LABELS, variables: { filter }, answer: Found });
  const usable = issueLabels.nodes.filter(({ team, isGroup }) => !isGroup && (team == null || team.id === teamId));
  const ids: string[] = [];
  for (const name of names) {
    const known = usable.find((label) => label.name.toLowerCase() === name.toLowerCase());
    ids.push(known?.id ?? (await createLabel({ client }, teamId, name)));
  }
  return [...new Set(ids)];
}

async function createLabel({ client }: Pick<Access, "client">, teamId: string, name: string): Promise<string> {
  const input = { name, teamId };
  const { issueLabelCreate } = await client.ask({ query: CREATE_LABEL, variables: { input }, answer: Created });
  return issueLabelCreate.issueLabel.id;
}
