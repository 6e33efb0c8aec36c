import { z } from "zod";
import { ignoreMissing } from "../forge/ignore-missing.ts";
import type { GitlabClient } from "./client.ts";

/** The access level that allows pushing; GitLab calls it Developer. */
const DEVELOPER = 30;

const Member = z.object({ access_level: z.number() });

/** May this person push to the project? */
export async function mayPush({ client }: { readonly client: GitlabClient }, id: number): Promise<boolean> {
  const path = `/projects/:id/members/all/${id}`;
  const member = await client.read({ path, answer: Member }).catch(ignoreMissing);
  return member !== undefined && member.access_level >= DEVELOPER;
}
