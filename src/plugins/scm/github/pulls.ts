import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { ChangeRequest, OpenChange } from "../../../ports/scm.ts";
import { pushRequestBranch } from "../../../providers/forge/request-branch.ts";
import type { GithubScmConfig } from "./config.ts";
import type { GithubTools } from "./tools.ts";

const Opened = z.object({ number: z.number(), html_url: z.string(), draft: z.boolean().nullish() });

/** Pushes the branch and finds its open pull request, whoever opened it, or opens one. */
export async function ensureChange(
  tools: GithubTools,
  request: ChangeRequest,
  { drafts }: Pick<GithubScmConfig, "drafts">,
): Promise<OpenChange> {
  const { branch, base, title, body } = request;
  await pushRequestBranch(tools, request, { plugin: "github", name: "GitHub" });
  const opened = (await findOpen(tools, branch)) ?? (await open(tools, { head: branch, base, title, body }, drafts));
  const isDraft = drafts && opened.draft === true;
  return { number: opened.number, url: opened.html_url, ...(isDraft ? { isDraft } : {}) };
}

async function open(tools: GithubTools, facts: object, draft: boolean): Promise<z.infer<typeof Opened>> {
  const parameters = { ...tools.repository, ...facts, ...(draft ? { draft } : {}) };
  const call = { route: "POST /repos/{owner}/{repo}/pulls", parameters, answer: Opened };
  return tools.client.rest(call).catch((error: unknown) => {
    // A private repository of a free account has no drafts.
    if (draft && error instanceof PluginError && /draft pull requests are not supported/i.test(error.message)) {
      return open(tools, facts, false);
    }
    throw error;
  });
}

async function findOpen(tools: GithubTools, branch: string): Promise<z.infer<typeof Opened> | null> {
  const parameters = { ...tools.repository, state: "open", head: `${tools.repository.owner}:${branch}` };
  const route = "GET /repos/{owner}/{repo}/pulls";
  const [found] = await tools.client.rest({ route, parameters, answer: z.array(Opened) });
  return found ?? null;
}
