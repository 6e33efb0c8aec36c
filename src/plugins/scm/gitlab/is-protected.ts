import { z } from "zod";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import type { GitlabTools } from "./tools.ts";

const Branch = z.object({ protected: z.boolean().nullish() });

/** Does a rule for protected branches apply to this one? A branch that does not exist there has none. */
export async function isProtected({ client }: GitlabTools, branch: string): Promise<boolean> {
  const path = `/projects/:id/repository/branches/${encodeURIComponent(branch)}`;
  const found = await client.read({ path, answer: Branch }).catch(ignoreMissing);
  return found?.protected === true;
}
