import { AoError } from "../../core/errors.ts";
import type { IssueFilter, Tracker } from "../../ports/tracker.ts";
import type { Api } from "../../protocol/api.ts";
import type { IssueView } from "../../protocol/views/project.ts";
import { findProject } from "../find-project.ts";
import type { Kernel } from "../kernel.ts";

/** Issues of a project's tracker. */
export async function listIssues(
  kernel: Kernel,
  projectId: string,
  filter: IssueFilter,
): Promise<Api["GET /api/projects/:id/issues"]["out"]> {
  const { issues, problems } = await (await trackerOf(kernel, projectId)).list(filter);
  return { data: issues, problems };
}

/** One issue, or an error that explains how to list them. */
export async function getIssue(kernel: Kernel, projectId: string, id: string): Promise<IssueView> {
  const [issue] = await (await trackerOf(kernel, projectId)).get([id]);
  if (issue !== undefined) return issue;
  throw new AoError({
    code: "task-unknown",
    message: `The tracker of ${projectId} has no issue ${id}.`,
    hint: "`ao issue list` lists them.",
  });
}

/** A new issue. */
export async function createIssue(
  kernel: Kernel,
  projectId: string,
  body: Api["POST /api/projects/:id/issues"]["in"],
): Promise<IssueView> {
  const tracker = await trackerOf(kernel, projectId);
  if (tracker.create === undefined) throw readOnly(projectId);
  return tracker.create({
    title: body.title,
    body: body.body ?? "",
    labels: body.labels ?? [],
    dependsOn: body.dependsOn ?? [],
    priority: body.priority,
  });
}

/** Changes fields of an issue. */
export async function editIssue(
  kernel: Kernel,
  projectId: string,
  id: string,
  body: Api["PATCH /api/projects/:id/issues/:issue"]["in"],
): Promise<IssueView> {
  const tracker = await trackerOf(kernel, projectId);
  if (tracker.edit === undefined) throw readOnly(projectId);
  await getIssue(kernel, projectId, id);
  return tracker.edit(id, body);
}

/** The tracker of a project. */
export async function trackerOf(kernel: Kernel, projectId: string): Promise<Tracker> {
  const project = await findProject(kernel, projectId, undefined);
  const config = await kernel.configs.configOf(project);
  return kernel.plugins.get("tracker", config?.tracker ?? { plugin: "local", config: {} }, project.path);
}

function readOnly(projectId: string): AoError {
  return new AoError({
    code: "unsupported",
    message: `ao cannot write to the tracker of ${projectId}.`,
    hint: "Edit the issue in the tracker itself.",
  });
}
