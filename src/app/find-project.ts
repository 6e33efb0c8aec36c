import { dirname, join, sep } from "node:path";
import { AoError } from "../core/errors.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { Kernel } from "./kernel.ts";
import { repositoryAt } from "./repository-facts.ts";

type Source = Pick<Kernel, "host" | "engine">;

/** The caller's location. */
export interface Surroundings {
  /** The project of the folder: its checkout, a linked worktree of it, or a session's workspace. */
  readonly project: ProjectState | null;
  /** Main checkout of a repository without a project. */
  readonly repository: string | null;
}

/** The project that a folder belongs to, or its repository if no project has it. */
export async function projectAround(kernel: Source, folder: string): Promise<Surroundings> {
  const { host, engine } = kernel;
  const world = engine.loop.world.view;
  const projects = registered(kernel);
  const real = (await host.fs.realPath(folder)) ?? folder;
  for (const session of world.sessions()) {
    const path = session.workspace.path;
    const owner = path !== null && isInside(real, path) ? world.project(session.projectId) : undefined;
    if (owner !== undefined && !owner.removed) return { project: owner, repository: null };
  }
  const around = projects
    .filter((project) => isInside(real, project.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  const marked = await folderWithGit(host, real);
  if (around !== undefined && (marked === null || isInside(around.path, marked))) {
    return { project: around, repository: null };
  }
  if (marked === null) return { project: null, repository: null };
  const root = await repositoryAt(host, real);
  const owner = projects.find((project) => project.path === root) ?? null;
  return { project: owner, repository: owner === null ? root : null };
}

/**
 * The project by id or name, the one around the caller's folder, or the only one for a caller outside any repository.
 */
export async function findProject(
  kernel: Source,
  id: string | undefined,
  cwd: string | undefined,
): Promise<ProjectState> {
  const projects = registered(kernel);
  if (id !== undefined) {
    const named = projects.find((project) => project.id === id) ?? projects.find((project) => project.name === id);
    if (named !== undefined) return named;
    throw new AoError({
      code: "project-unknown",
      message: `There is no project "${id}".`,
      hint: "`ao projects` lists them; `ao start PATH` registers one.",
    });
  }
  const { project, repository } = cwd === undefined ? NOWHERE : await projectAround(kernel, cwd);
  if (project !== null) return project;
  const names = projects.map((one) => one.id).join(", ");
  if (repository !== null) {
    const other = projects.length === 0 ? "" : `; \`--project\` names another project (${names})`;
    const message = `${repository} is not registered with ao.`;
    throw new AoError({ code: "project-unknown", message, hint: `\`ao start ${repository}\` registers it${other}.` });
  }
  const [only] = projects;
  if (projects.length === 1 && only !== undefined) return only;
  throw new AoError({
    code: "project-unknown",
    message: projects.length === 0 ? "No project is registered." : "This folder belongs to no project.",
    hint: projects.length === 0 ? "Run `ao start` in a repository." : `Name one with --project: ${names}.`,
  });
}

const NOWHERE: Surroundings = { project: null, repository: null };

function registered({ engine }: Source): readonly ProjectState[] {
  return [...engine.loop.world.view.projects()].filter((project) => !project.removed);
}

/** The innermost enclosing folder with a git folder, found without starting a process. */
async function folderWithGit(host: Source["host"], folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await host.fs.stat(join(at, ".git"))) !== null) return at;
    if (at === dirname(at)) return null;
  }
}

function isInside(folder: string, path: string): boolean {
  return folder === path || folder.startsWith(path.endsWith(sep) ? path : path + sep);
}
