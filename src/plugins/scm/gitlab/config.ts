import { z } from "zod";
import { GitlabConfig } from "../../../providers/gitlab/address.ts";

export const Config = GitlabConfig.extend({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Another name for baseUrl."),
  statusComment: z
    .boolean()
    .default(true)
    .describe("Keep one comment with its status on each merge request, edited at most 20 times an hour."),
  drafts: z
    .boolean()
    .default(false)
    .describe("Open merge requests as drafts; ao marks each as ready once its checks pass."),
});

export type GitlabScmConfig = z.infer<typeof Config>;
