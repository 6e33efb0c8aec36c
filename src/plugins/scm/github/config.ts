import { z } from "zod";
import { GithubConfig } from "../../../providers/github/address.ts";

export const Config = GithubConfig.extend({
  statusComment: z
    .boolean()
    .default(true)
    .describe("Keep one comment with its status on each pull request, edited at most 20 times an hour."),
  drafts: z
    .boolean()
    .default(false)
    .describe("Open pull requests as drafts; ao marks each as ready for review once its checks pass."),
});

export type GithubScmConfig = z.infer<typeof Config>;
