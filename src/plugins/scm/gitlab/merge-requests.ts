import { z } from "zod";
import type { ChangeRequest, OpenChange } from "../../../ports/scm.ts";
import { pushRequestBranch } from "../../../providers/forge/request-branch.ts";
import type { GitlabScmConfig } from "./config.ts";
import { isFromFork } from "./find-merge-request.ts";
import { Sides } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Opened = Sides.extend({ iid: z.number(), web_url: z.string(), draft: z.boolean().nullish() });
const PATH = "/projects/:id/merge_requests";

/** Pushes the branch and finds its open merge request, whoever opened it, or opens one. */
export async function ensureChange(
  tools: GitlabTools,
  request: ChangeRequest,
  { drafts }: Pick<GitlabScmConfig, "drafts">,
): Promise<OpenChange> {
  const { branch, base, title, body } = request;
  await pushRequestBranch(tools, request, { plugin: "gitlab", name: "GitLab" });
  const query = { state: "opened", source_branch: branch };
  const open = await tools.client.read({ path: PATH, query, answer: z.array(Opened) });
  // A fork may have a branch with the same name.
  const known = open.find((one) => !isFromFork(one));
  const written = drafts ? `Draft: ${title}` : title;
  const wanted = { source_branch: branch, target_branch: base, title: written, description: body };
  const opened = known ?? (await tools.client.write({ method: "POST", path: PATH, body: wanted, answer: Opened }));
  const isDraft = drafts && opened.draft === true;
  return { number: opened.iid, url: opened.web_url, ...(isDraft ? { isDraft } : {}) };
}
