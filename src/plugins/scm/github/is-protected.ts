import { z } from "zod";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import type { GithubTools } from "./tools.ts";

const Branch = z.object({ protected: z.boolean().nullish() });

/** Does a protection rule apply to this branch? A branch that does not exist there has none. */
export async function isProtected({ client, repository }: GithubTools, branch: string): Promise<boolean> {
  const route = "GET /repos/{owner}/{repo}/branches/{branch}";
  const found = await client
    .rest({ route, parameters: { ...repository, branch }, answer: Branch })
    .catch(ignoreMissing);
  return found?.protected === true;
}
