import { z } from "zod";
import { GithubConfig } from "../../../providers/github/address.ts";

export const Config = GithubConfig.extend({
  labels: z.array(z.string().min(1)).default([]).describe("Only issues with all of these labels are listed."),
  assignee: z.string().min(1).optional().describe("Only issues of this assignee are listed."),
  comments: z
    .boolean()
    .default(true)
    .describe("Keep one comment per session on its issue: started, pull request, merged."),
  priorityLabel: z
    .string()
    .min(1)
    .default("priority:")
    .describe("Labels that begin with this are the priority of an issue."),
});

export type TrackerConfig = z.infer<typeof Config>;
