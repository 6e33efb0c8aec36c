import { AoError } from "../../core/errors.ts";
import type { ProjectView } from "../../protocol/views/project.ts";
import type { Client } from "../client/client.ts";

/** The named project, else the one whose folder the command runs in. */
export async function resolveProject(client: Client, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { projectId, repository } = await client.call("GET /api/projects/here", { input: { cwd: process.cwd() } });
  if (projectId !== null) return projectId;
  if (repository !== null) throw unregistered(repository);
  const { data } = await client.call("GET /api/projects");
  const session = process.env["AO_PROJECT"];
  if (session !== undefined && data.some((project) => project.id === session)) return session;
  const known = data.map((project) => project.id).join(", ");
  throw new AoError({
    code: "project-unknown",
    message: "this folder belongs to no project",
    hint: data.length === 0 ? "ao start PATH" : `Name one with --project: ${known}`,
  });
}

/** The error for a repository without a project. */
export function unregistered(repository: string): AoError {
  return new AoError({
    code: "project-unknown",
    message: `${repository} is not registered with ao`,
    hint: `\`ao start ${quoted(repository)}\` registers it; \`--project\` names another project.`,
  });
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The innermost project that contains a folder. */
export function projectAt(projects: readonly ProjectView[], folder: string): ProjectView | null {
  const around = projects.filter(({ path }) => folder === path || folder.startsWith(path === "/" ? path : `${path}/`));
  return around.reduce<ProjectView | null>(
    (best, project) => (best === null || project.path.length > best.path.length ? project : best),
    null,
  );
}
