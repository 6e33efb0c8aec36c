import { basename, dirname, join } from "node:path";
import type { Config, ProjectConfig } from "../config/config.ts";
import { foldersAbove } from "../config/folders-above.ts";
import { CONFIG_FILE_NAME, type LoadedConfig } from "../config/load.ts";
import { configNotes } from "../config/notes.ts";
import { AoError } from "../core/errors.ts";
import type { Command } from "../core/input.ts";
import { slugify } from "../core/name.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { Host } from "../ports/host.ts";
import type { CreatedConfig } from "../protocol/views/project.ts";
import { checkSettings } from "./plugin-settings.ts";
import { type RepositoryFacts, readRepository, repositoryAt, requireFolder } from "./repository-facts.ts";
import { writeConfig } from "./write-config.ts";

export type Register = Extract<Command, { readonly type: "project.register" }>;

/** What a person wants to register. */
export interface AskedProjects {
  readonly path: string;
  /** The named file; null: search for it. */
  readonly configFile: string | null;
  /** Returns the agent for a new file; undefined: the person must choose first. */
  chooseAgent(): Promise<string | null | undefined>;
  /** Why this agent does not run in a sandbox in a repository; null: it does. */
  findSandboxObstacle(agent: string, repository: string): Promise<string | null>;
  readonly known: readonly ProjectState[];
  /** A new file uses the issues and pull requests of the remote's forge. */
  readonly usesForge: boolean;
}

export interface ReadProjects {
  readonly registers: readonly Register[];
  readonly notes: readonly string[];
  /** The newly written file, if any. */
  readonly created: CreatedConfig | null;
}

export interface ReadSources {
  readonly host: Host;
  /** The machine's own configuration, `AO_HOME/config.yaml`. */
  readonly homeFile: string;
  load(file: string): Promise<LoadedConfig>;
}

/**
 * Finds the configuration of a folder and what to register from it: the named file, the nearest one within the
 * repository, the one that its project came from, one above it, or the machine's own that lists it. Writes one if there
 * is none; null: the person has to choose an agent for it first.
 */
export async function readProjects(sources: ReadSources, asked: AskedProjects): Promise<ReadProjects | null> {
  const { host } = sources;
  await requireFolder(host, asked.path);
  const real = (await host.fs.realPath(asked.path)) ?? asked.path;
  const root = await repositoryAt(host, real);
  const file = asked.configFile ?? (await findFile(host, foldersFrom(host, real, root)));
  if (file !== null) {
    const loaded = await sources.load(file);
    const found = await readListed(host, file, loaded.config, root);
    if (found !== null)
      return { ...found, notes: [...found.notes, ...configNotes(loaded, checkSettings)], created: null };
  }
  const joined = root === null || file !== null ? null : await joinFile(sources, asked.known, root);
  if (joined !== null) return { registers: [joined], notes: [], created: null };
  const facts = await readRepository(host, real, null);
  const id = slugify(basename(facts.root));
  if (file !== null) return { registers: [toRegister(id, facts, file, undefined)], notes: [], created: null };
  const agent = await asked.chooseAgent();
  if (agent === undefined) return null;
  const sandboxObstacle = agent === null ? null : await asked.findSandboxObstacle(agent, facts.root);
  const created = await writeConfig(host, facts, { id, agent, usesForge: asked.usesForge, sandboxObstacle });
  return { registers: [toRegister(id, facts, created.file, undefined)], notes: [], created };
}

/** The folders whose file covers this one: up to the root of the repository, or all ancestors outside one. */
function foldersFrom(host: Host, folder: string, root: string | null): readonly string[] {
  const all = foldersAbove(folder, host.env);
  if (root === null) return all;
  // A linked worktree is outside its repository.
  return all.includes(root) ? all.slice(0, all.indexOf(root) + 1) : [root];
}

async function findFile(host: Host, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const file = join(folder, CONFIG_FILE_NAME);
    if ((await host.fs.stat(file)) !== null) return file;
  }
  return null;
}

/** Everything that a file lists; null: it lists nothing. Names and skips repositories that are not on this machine. */
async function readListed(
  host: Host,
  file: string,
  config: Config,
  root: string | null,
): Promise<Omit<ReadProjects, "created"> | null> {
  const projects = Object.values(config.projects);
  if (projects.length === 0) return null;
  const registers: Register[] = [];
  const absent: string[] = [];
  for (const project of projects) {
    if ((await host.fs.stat(project.path)) === null)
      absent.push(`projects.${project.id}.path: ${project.path} does not exist`);
    else
      registers.push(
        toRegister(project.id, await readRepository(host, project.path, project.defaultBranch), file, project),
      );
  }
  if (registers.length === 0) {
    const hint = `Correct it in ${file}, or clone the repository there.`;
    throw new AoError({ code: "project-unknown", message: absent.join("\n"), hint });
  }
  const isListed = root === null || registers.some(({ path }) => path === root) || dirname(file) === root;
  const notes = absent.map((text) => `${text}; skipped`);
  return { registers, notes: isListed ? notes : [...notes, `${root} is not a project of ${file}`] };
}

/** The project of a repository in a file elsewhere: the one that it came from, one above it, or the machine's own. */
async function joinFile(sources: ReadSources, known: readonly ProjectState[], root: string): Promise<Register | null> {
  const { host } = sources;
  const own = known.find((project) => project.path === root && !project.removed)?.configFile ?? null;
  const others = foldersAbove(root, host.env)
    .slice(1)
    .map((folder) => join(folder, CONFIG_FILE_NAME));
  for (const file of [...(own === null ? [] : [own]), ...others, sources.homeFile]) {
    if ((await host.fs.stat(file)) === null) continue;
    const project = await findListed(sources, file, root);
    if (project !== null)
      return toRegister(project.id, await readRepository(host, root, project.defaultBranch), file, project);
  }
  return null;
}

async function findListed({ host, load }: ReadSources, file: string, root: string): Promise<ProjectConfig | null> {
  const { config } = await load(file);
  for (const project of Object.values(config.projects)) {
    if (((await host.fs.realPath(project.path)) ?? project.path) === root) return project;
  }
  return null;
}

function toRegister(id: string, facts: RepositoryFacts, file: string, config: ProjectConfig | undefined): Register {
  return {
    type: "project.register",
    id,
    name: config?.name ?? id,
    path: facts.root,
    repo: config?.repo ?? facts.remote,
    defaultBranch: facts.defaultBranch,
    sessionPrefix: config?.sessionPrefix ?? id,
    configFile: file,
    limit: config?.limits.perProject ?? null,
  };
}
