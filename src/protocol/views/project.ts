import { z } from "zod";
import type { View } from "./view.ts";

export const MainHealthView = z
  .object({
    state: z.enum(["checking", "green", "red", "unknown"]),
    text: z.string().describe("Completes a sentence that begins with the branch: `is green at 8c1f02a`."),
  })
  .meta({ id: "MainHealthView", description: "How the base branch is by its checks with `on: [main]`." });

export const ProjectView = z
  .object({
    id: z.string(),
    name: z.string(),
    path: z.string(),
    repo: z.string().nullable(),
    defaultBranch: z.string(),
    sessionPrefix: z.string(),
    configFile: z.string().nullable(),
    paused: z.boolean(),
    sessions: z.int(),
    collisions: z.int().describe("Pairs whose work would conflict; `GET /api/radar` lists them."),
    main: MainHealthView.nullable().describe("null: no check runs on the base branch."),
    notes: z.array(z.string()).describe("What a person should know about its configuration."),
  })
  .meta({ id: "ProjectView" });
export type ProjectView = View<typeof ProjectView>;

export const CreatedConfig = z
  .object({
    file: z.string(),
    agent: z.string().nullable().describe("null: none was found."),
    permissions: z
      .enum(["ask", "edits"])
      .nullable()
      .describe("What it may do without asking; null: a person has to decide."),
    asks: z.boolean().describe("It asks about anything else."),
    sandbox: z.literal("bubblewrap").nullable().describe("What it runs in; null: nothing, it runs as you."),
  })
  .meta({ id: "CreatedConfig", description: "The configuration that was written for a new project." });
export type CreatedConfig = View<typeof CreatedConfig>;

export const AddedProjects = z
  .object({
    data: z.array(ProjectView),
    notes: z.array(z.string()),
    created: CreatedConfig.nullable(),
    choices: z.array(z.string()).describe("Agents to choose from; if there are any, nothing was registered."),
  })
  .meta({ id: "AddedProjects" });
export type AddedProjects = View<typeof AddedProjects>;

export const IssueView = z
  .object({
    id: z.string(),
    title: z.string(),
    body: z.string(),
    state: z.enum(["open", "closed"]),
    labels: z.array(z.string()),
    priority: z.string().nullable(),
    dependsOn: z.array(z.string()),
    assignee: z.string().nullable(),
    url: z.string().nullable(),
    author: z
      .object({
        name: z.string(),
        access: z.enum(["write", "none"]).optional().describe("Write access, or membership; absent: not looked up."),
      })
      .optional()
      .describe("Absent: unknown, or the user's own file."),
  })
  .meta({ id: "IssueView" });
export type IssueView = View<typeof IssueView>;
