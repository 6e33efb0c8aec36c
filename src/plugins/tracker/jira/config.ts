import { z } from "zod";

const name = z.string().min(1);

export const Config = z.strictObject({
  project: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "expected the key of a project, such as ENG")
    .describe("Key of the project: ENG."),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of the Jira, such as https://example.atlassian.net; JIRA_BASE_URL when absent."),
  deployment: z.enum(["cloud", "server"]).optional().describe("Cloud, or Server and Data Center; asked when absent."),
  issueType: name.default("Task").describe("Type of issues that ao creates."),
  labels: z.array(name).default([]).describe("Only issues with all of these labels are listed."),
  assignee: name.optional().describe("Only issues of this person are listed: a name, an e-mail address, or `me`."),
  jql: z
    .string()
    .refine((text) => !/\border\s+by\b/i.test(text), "must not have ORDER BY: ao lists by key")
    .optional()
    .describe("Only issues that this JQL finds are listed, such as `sprint in openSprints()`."),
  comments: z
    .boolean()
    .default(true)
    .describe("Keep one comment per session on its issue: started, pull request, merged."),
  states: z
    .strictObject({
      open: name.optional().describe("Status of an issue that is opened again; any to-do status when absent."),
      working: name.optional().describe("Status while a session works on the issue; not changed when absent."),
      review: name.optional().describe("Status while its pull request is open; not changed when absent."),
      closed: name.optional().describe("Status of a closed issue; any done status when absent."),
    })
    .default({})
    .describe("Names of statuses, or of transitions of the workflow."),
});

export type TrackerConfig = z.infer<typeof Config>;
