import type { Config, MachineConfig, ProjectConfig } from "../config/config.ts";
import { interpretConfig, type LoadedConfig, loadConfig } from "../config/load.ts";
import { listOverruled } from "../config/machine-keys.ts";
import { missingError } from "../config/missing.ts";
import { AoError } from "../core/errors.ts";
import { factsOf, type ProjectFacts, type ProjectState } from "../core/project/state.ts";
import { isSame } from "../core/same.ts";
import type { Host } from "../ports/host.ts";
import type { HomePaths } from "../protocol/home.ts";
import type { ConfigProblem } from "../server/actions.ts";
import { type ConfigFile, createConfigFiles } from "./config-files.ts";
import { checkSettings } from "./plugin-settings.ts";
import { type AskedProjects, type ReadProjects, type Register, readProjects } from "./read-projects.ts";

export interface ProjectConfigs {
  /** Finds the configuration of a folder (writing one if necessary) and returns what to register. */
  read(asked: AskedProjects): Promise<ReadProjects | null>;
  /** The configuration in force for a project; undefined if its file is gone or invalid. */
  configOf(project: ProjectState): Promise<ProjectConfig | undefined>;
  /** What is wrong or has no effect in a project's file. */
  notesOf(projectId: string): readonly string[];
  /** Machine-wide keys in a project's file while another file is in force. */
  overruledIn(project: ProjectState, projects: Iterable<ProjectState>): Promise<readonly string[]>;
  /** The file that is in force for machine-wide keys. */
  machineFile(projects: Iterable<ProjectState>): Promise<string | null>;
  /** Why a project's file as it is now is not in force, or not all of it; null: it is. */
  problemOf(projectId: string): ConfigProblem | null;
  /** Was a file read while git was changing the checkout? It has to be read again. */
  isUnsettled(): boolean;
  /** The text of a file that waits until a person accepts it; null: none does. */
  heldIn(file: string): Promise<string | null>;
  /** The text of a file that was accepted last. */
  acceptedText(file: string): Promise<string | undefined>;
  /** Lets a text of a file take effect, whoever it came from. */
  accept(file: string, text: string): Promise<void>;
  /** Accepts the files of these projects as they are, if no file was ever judged. */
  adopt(projects: Iterable<ProjectState>): Promise<void>;
  /** Throws if nothing is in force for the project because nobody has accepted its file. */
  requireAccepted(project: ProjectState): Promise<void>;
  /** Throws if the project's part of the file uses an unset variable. */
  requireVariables(project: ProjectState): Promise<void>;
  /** What to register again because the file changed; null: it is invalid, or has nothing new about the project. */
  reread(project: ProjectState): Promise<Register | null>;
  /** The machine-wide settings of a project's own file, in force or not. */
  ownMachine(project: ProjectState): Promise<MachineConfig | null>;
  /** Validates a text as the content of a file; throws `config-invalid`. */
  interpret(file: string, text: string): LoadedConfig;
  /** The content of a file, or its last valid content; null: it never was valid. */
  inForce(file: string): Promise<Config | null>;
  /** Machine-wide configuration: from AO_HOME/config.yaml, else from the file of the first project. */
  machine(projects: Iterable<ProjectState>): Promise<MachineConfig | null>;
}

/** Projects and their YAML files. */
export function createProjectConfigs(host: Host, paths: HomePaths, userHome: string): ProjectConfigs {
  const options = { env: host.env, home: userHome, settings: checkSettings };
  const files = createConfigFiles(host, paths.home, options);
  const { load } = files;
  const machineFile = async (projects: Iterable<ProjectState>): Promise<string | null> => {
    if ((await host.fs.stat(paths.config)) !== null) return paths.config;
    const first = [...projects].filter((project) => !project.removed).sort((a, b) => a.at - b.at)[0];
    return first?.configFile ?? null;
  };
  const last = new Map<string, ConfigFile>();
  const loadFor = async (project: ProjectState): Promise<ConfigFile | null> => {
    if (project.configFile === null) return null;
    const loaded = await load(project.configFile);
    last.set(project.id, loaded);
    return loaded;
  };
  return {
    // A person asked for it: problems with a file are errors here, not notes.
    read: (asked) => readProjects({ host, homeFile: paths.config, load: (file) => loadConfig(file, options) }, asked),
    configOf: async (project) => (await loadFor(project))?.config?.projects[project.id],
    notesOf: (projectId) => last.get(projectId)?.notes ?? [],
    problemOf: (projectId) => problemIn(last.get(projectId), projectId),
    isUnsettled: files.isUnsettled,
    heldIn: async (file) => (await load(file)).held,
    acceptedText: files.acceptedText,
    accept: files.accept,
    adopt: (projects) => files.adopt(filesOf(projects)),
    requireAccepted: async (project) => {
      const loaded = await loadFor(project);
      if (loaded?.config !== null || loaded.problem?.kind !== "held") return;
      const hint = `\`ao config accept -p ${project.id}\` shows what it would run.`;
      throw new AoError({ code: "conflict", message: loaded.problem.text, hint });
    },
    requireVariables: async (project) => {
      const error = missingError((await loadFor(project))?.missing ?? [], ["projects", project.id]);
      if (error !== null) throw error;
    },
    reread: async (project) => {
      const loaded = await loadFor(project);
      const config = loaded?.problem === null ? loaded.config?.projects[project.id] : undefined;
      if (config === undefined) return null;
      const facts = withConfig(project, config);
      return isSame(facts, factsOf(project)) ? null : { type: "project.register", isUpdate: true, ...facts };
    },
    machineFile,
    interpret: (file, text) => interpretConfig(text, file, options),
    inForce: async (file) => (await load(file)).config,
    ownMachine: async (project) => (await loadFor(project))?.config?.machine ?? null,
    machine: async (projects) => {
      const file = await machineFile(projects);
      return file === null ? null : ((await load(file)).config?.machine ?? null);
    },
    overruledIn: async (project, projects) => {
      const file = await machineFile(projects);
      if (file === null || project.configFile === null || project.configFile === file) return [];
      const [own, inForce] = [await load(project.configFile), await load(file)];
      if (inForce.problem !== null) return [`machine-wide keys are not applied: ${inForce.problem.text}`];
      if (own.written === null || inForce.written === null) return [];
      return listOverruled(own.written, { file, written: inForce.written });
    },
  };
}

function problemIn(file: ConfigFile | undefined, id: string): ConfigProblem | null {
  if (file === undefined || file.problem !== null) return file?.problem ?? null;
  const own = file.undecided.filter(({ projectId }) => projectId === null || projectId === id);
  return own.length === 0 ? null : { kind: "undecided", text: own.map(({ text }) => text).join("\n") };
}

// Another path would be another repository; a person has to register that.
function withConfig(project: ProjectState, config: ProjectConfig): ProjectFacts {
  return {
    ...factsOf(project),
    name: config.name,
    repo: config.repo ?? project.repo,
    defaultBranch: config.defaultBranch ?? project.defaultBranch,
    sessionPrefix: config.sessionPrefix,
    limit: config.limits.perProject,
  };
}

function filesOf(projects: Iterable<ProjectState>): readonly string[] {
  return [...new Set([...projects].flatMap(({ removed, configFile }) => (removed ? [] : (configFile ?? []))))];
}
