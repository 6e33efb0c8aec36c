import { basename, join } from "node:path";
import type { Config, MachineConfig, ProjectConfig } from "../config/config.ts";
import type { MissingVariable } from "../config/expand.ts";
import { renderInitialConfig } from "../config/generate.ts";
import { CONFIG_FILE_NAME, loadConfig } from "../config/load.ts";
import { missingError } from "../config/missing.ts";
import { configNotes } from "../config/notes.ts";
import { AoError } from "../core/errors.ts";
import type { Command } from "../core/input.ts";
import { slugify } from "../core/name.ts";
import { factsOf, type ProjectState } from "../core/project/state.ts";
import type { Host } from "../ports/host.ts";
import type { HomePaths } from "../protocol/home.ts";
import { checkSettings } from "./plugin-settings.ts";
import { type RepositoryFacts, readRepository, requireFolder } from "./repository-facts.ts";

type Register = Extract<Command, { readonly type: "project.register" }>;

export interface ProjectDesk {
  /** Reads a repository and its configuration (writing one when there is none) and gives what to register. */
  read(
    path: string,
    configFile: string | null,
  ): Promise<{ readonly registers: readonly Register[]; readonly notes: readonly string[] }>;
  /** The configuration in force for a project; undefined when its file is gone or bad. */
  configOf(project: ProjectState): Promise<ProjectConfig | undefined>;
  /** What was wrong or is not in effect in a project's file. */
  notesOf(projectId: string): readonly string[];
  /** What is wrong with a project's file, so that an older one is in force; null: nothing. */
  problemOf(projectId: string): string | null;
  /** Throws when the project's part of the file names a variable that is not set. */
  requireVariables(project: ProjectState): Promise<void>;
  /** What to register anew because the file changed; null: it is bad, or says nothing new of the project. */
  reread(project: ProjectState): Promise<Register | null>;
  /** Machine-wide configuration: from AO_HOME/config.yaml, else from the file of the first project. */
  machine(projects: Iterable<ProjectState>): Promise<MachineConfig | null>;
}

interface Cached {
  readonly mtimeMs: number;
  readonly config: Config | null;
  readonly missing: readonly MissingVariable[];
  readonly notes: readonly string[];
  readonly problem: string | null;
}

/** Projects and their YAML files. A file is read again when it changed; a bad one is reported and the last good one stays. */
export function createProjectDesk(host: Host, paths: HomePaths, userHome: string): ProjectDesk {
  const cache = new Map<string, Cached>();

  const load = async (file: string): Promise<Cached> => {
    const mtimeMs = (await host.fs.stat(file))?.mtimeMs ?? 0;
    const known = cache.get(file);
    if (known !== undefined && known.mtimeMs === mtimeMs) return known;
    const fresh = await read(file, mtimeMs, known?.config ?? null);
    cache.set(file, fresh);
    return fresh;
  };

  const read = async (file: string, mtimeMs: number, lastGood: Config | null): Promise<Cached> => {
    try {
      const { config, written, missing } = await loadConfig(file, {
        env: host.env,
        home: userHome,
        settings: checkSettings,
      });
      return { mtimeMs, config, missing, notes: configNotes(written, checkSettings), problem: null };
    } catch (error) {
      if (!(error instanceof AoError)) throw error;
      host.log.warn("a configuration is not in force", { file, reason: error.message });
      return { mtimeMs, config: lastGood, missing: [], notes: [error.message], problem: error.message };
    }
  };

  const last = new Map<string, Cached>();
  const loadFor = async (project: ProjectState): Promise<Cached | null> => {
    if (project.configFile === null) return null;
    const loaded = await load(project.configFile);
    last.set(project.id, loaded);
    return loaded;
  };
  return {
    read: async (path, configFile) => {
      await requireFolder(host, path);
      const file = configFile ?? (await findFile(host, path));
      if (file !== null) {
        // Asked for by a person: what is wrong with the file is an error here, not a note.
        const { config, written } = await loadConfig(file, { env: host.env, home: userHome, settings: checkSettings });
        const found = await readConfigured(host, path, file, config);
        if (found.length > 0) return { registers: found, notes: configNotes(written, checkSettings) };
      }
      const facts = await readRepository(host, path, null);
      const id = slugify(basename(facts.root));
      const written = file ?? (await writeInitial(host, facts, id));
      return {
        registers: [toRegister(id, facts, written, undefined)],
        notes: file === null ? [`Wrote ${written}.`] : [],
      };
    },
    configOf: async (project) => (await loadFor(project))?.config?.projects[project.id],
    notesOf: (projectId) => last.get(projectId)?.notes ?? [],
    problemOf: (projectId) => last.get(projectId)?.problem ?? null,
    requireVariables: async (project) => {
      const error = missingError((await loadFor(project))?.missing ?? [], ["projects", project.id]);
      if (error !== null) throw error;
    },
    reread: async (project) => {
      const loaded = await loadFor(project);
      const config = loaded?.problem === null ? loaded.config?.projects[project.id] : undefined;
      return config === undefined ? null : withConfig(project, config);
    },
    machine: async (projects) => {
      const first = [...projects].filter((project) => !project.removed).sort((a, b) => a.at - b.at)[0];
      const file = (await host.fs.stat(paths.config)) === null ? (first?.configFile ?? null) : paths.config;
      return file === null ? null : ((await load(file)).config?.machine ?? null);
    },
  };
}

async function findFile(host: Host, path: string): Promise<string | null> {
  const file = join(path, CONFIG_FILE_NAME);
  return (await host.fs.stat(file)) === null ? null : file;
}

async function readConfigured(host: Host, path: string, file: string, config: Config): Promise<readonly Register[]> {
  const real = (await host.fs.realPath(path)) ?? path;
  const registers: Register[] = [];
  for (const project of Object.values(config.projects)) {
    const own = ((await host.fs.realPath(project.path)) ?? project.path) === real;
    // A file may list repositories that are not on this machine; the one that was asked for must be right.
    if (!own && (await host.fs.stat(project.path)) === null) continue;
    const facts = await readRepository(host, project.path, project.defaultBranch);
    registers.push(toRegister(project.id, facts, file, project));
  }
  return registers;
}

// Another path would be another repository; that is for a person to register.
function withConfig(project: ProjectState, config: ProjectConfig): Register {
  return {
    type: "project.register",
    ...factsOf(project),
    name: config.name,
    repo: config.repo ?? project.repo,
    defaultBranch: config.defaultBranch ?? project.defaultBranch,
    sessionPrefix: config.sessionPrefix,
    limit: config.limits.perProject,
  };
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

async function writeInitial(host: Host, facts: RepositoryFacts, id: string): Promise<string> {
  const file = join(facts.root, CONFIG_FILE_NAME);
  const text = renderInitialConfig({ projectId: id, path: ".", defaultBranch: facts.defaultBranch });
  await host.fs.writeText(file, text);
  await excludeFromGit(host, facts.root, `/${CONFIG_FILE_NAME}`);
  return file;
}

// Until the user commits it, the file must not show up as a change of theirs.
async function excludeFromGit(host: Host, root: string, line: string): Promise<void> {
  const common = await host.exec({
    program: "git",
    args: ["rev-parse", "--path-format=absolute", "--git-common-dir"],
    cwd: root,
  });
  const exclude = join(common.stdout.trim(), "info", "exclude");
  const text = (await host.fs.readText(exclude)) ?? "";
  if (text.split("\n").includes(line)) return;
  await host.fs.makeDir(join(common.stdout.trim(), "info"));
  await host.fs.writeText(exclude, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}
