import { z } from "zod";
import type { GithubTools } from "./tools.ts";

const Answer = z.object({ node_id: z.string() });

/** The id of a pull request in GraphQL. */
export async function readNodeId({ client, repository }: GithubTools, number: number): Promise<string> {
  const parameters = { ...repository, pull_number: number };
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
  return (await client.rest({ route, parameters, answer: Answer })).node_id;
}
