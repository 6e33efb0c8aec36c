import { z } from "zod";
import { GitlabConfig } from "../../../providers/gitlab/address.ts";

const label = z.string().min(1);

export const Config = GitlabConfig.extend({
  labels: z.array(label).default([]).describe("Only issues with all of these labels are listed."),
  assignee: z.string().min(1).optional().describe("Only issues of this assignee are listed, by username."),
  comments: z
    .boolean()
    .default(true)
    .describe("Keep one comment per session on its issue: started, merge request, merged."),
  priorityLabel: z
    .string()
    .min(1)
    .default("priority::")
    .describe("Labels that begin with this are the priority of an issue."),
  states: z
    .strictObject({
      working: label.optional().describe("Label while a session works on the issue; none when absent."),
      review: label.optional().describe("Label while its merge request is open; none when absent."),
    })
    .default({})
    .describe("Labels that show how far the work is, such as workflow::in dev; a closed issue keeps none of them."),
});

export type TrackerConfig = z.infer<typeof Config>;
