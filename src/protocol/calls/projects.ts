import { z } from "zod";
import { NothingBody } from "../bodies/daemon.ts";
import { AddProjectBody, CreateIssueBody, EditIssueBody } from "../bodies/project.ts";
import { CheckHistoryView } from "../views/check-history.ts";
import { AddedProjects, IssueView, ProjectView } from "../views/project.ts";
import { type CallTable, listOf, next, paging } from "./call.ts";

const UNKNOWN = ["project-unknown"] as const;
const reading = { tag: "projects", scope: "read", errors: UNKNOWN } as const;
const issues = { tag: "projects", scope: "operate", errors: [...UNKNOWN, "task-unknown", "unsupported"] } as const;

export const PROJECT_CALLS = {
  "GET /api/projects": { ...reading, summary: "List projects.", errors: [], answer: listOf(ProjectView) },
  "POST /api/projects": {
    tag: "projects",
    scope: "admin",
    summary: "Register the projects of a folder; write a configuration if it has none.",
    errors: ["not-a-repository", "no-commits", "detached-head", "config-invalid", "project-exists"],
    body: AddProjectBody,
    status: 201,
    answer: AddedProjects,
  },
  "GET /api/projects/here": {
    ...reading,
    summary: "Find the project around a folder, or the repository there that no project has.",
    errors: [],
    query: z.strictObject({ cwd: z.string() }),
    answer: z.object({ projectId: z.string().nullable(), repository: z.string().nullable() }),
  },
  "DELETE /api/projects/:id": {
    tag: "projects",
    scope: "admin",
    summary: "Remove a project from ao; its repository stays as it is.",
    errors: [...UNKNOWN, "conflict"],
    body: NothingBody,
    answer: ProjectView,
  },
  "GET /api/projects/:id/checks": {
    ...reading,
    summary: "List the last runs of a project's checks, with those that were flaky.",
    answer: CheckHistoryView,
  },
  "GET /api/projects/:id/issues": {
    ...reading,
    summary: "List a project's issues.",
    query: z.strictObject({
      state: z.enum(["open", "closed", "all"]).exactOptional().describe("Default: open."),
      label: z.string().exactOptional().describe("Only issues with this label."),
      assignee: z.string().exactOptional().describe("Only issues of this assignee."),
      ...paging,
    }),
    answer: z.object({
      data: z.array(IssueView),
      next,
      problems: z.array(z.string()).describe("Issues that could not be read, and why."),
    }),
  },
  "POST /api/projects/:id/issues": {
    ...issues,
    summary: "Create an issue.",
    body: CreateIssueBody,
    status: 201,
    answer: IssueView,
  },
  "GET /api/projects/:id/issues/:issue": {
    ...reading,
    summary: "Show an issue.",
    errors: [...UNKNOWN, "task-unknown"],
    answer: IssueView,
  },
  "PATCH /api/projects/:id/issues/:issue": {
    ...issues,
    summary: "Edit an issue.",
    body: EditIssueBody,
    answer: IssueView,
  },
} as const satisfies CallTable;
