import { z } from "zod";

const name = z.string().min(1);

export const Config = z.strictObject({
  teamId: name
    .optional()
    .describe("The team, by its key (ENG) or its id. Without it all teams are listed, and none can be written to."),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of the GraphQL API; https://api.linear.app/graphql when absent."),
  labels: z.array(name).default([]).describe("Only issues with all of these labels are listed."),
  assignee: name
    .optional()
    .describe("Only issues of this person are listed: a display name, an e-mail address, or `me`."),
  comments: z
    .boolean()
    .default(true)
    .describe("Keep one comment per session on its issue: started, pull request, merged."),
  states: z
    .strictObject({
      open: name
        .optional()
        .describe("State of an issue that is opened again; the first one of the kind unstarted when absent."),
      working: name.optional().describe("State while a session works on the issue; not changed when absent."),
      review: name.optional().describe("State while its pull request is open; not changed when absent."),
      closed: name.optional().describe("State of a closed issue; the first one of the kind completed when absent."),
    })
    .default({})
    .describe("Names of the team's workflow states."),
});

export type TrackerConfig = z.infer<typeof Config>;
