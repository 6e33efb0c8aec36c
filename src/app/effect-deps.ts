import { join } from "node:path";
import type { ProjectConfig } from "../config/config.ts";
import { InvariantError } from "../core/errors.ts";
import type { ProjectState } from "../core/project/state.ts";
import { runtimeOfRun, type SessionState } from "../core/session/state.ts";
import type { EngineDeps } from "../engine/engine.ts";
import type { Host } from "../ports/host.ts";
import type { Scm } from "../ports/scm.ts";
import type { Store } from "../ports/store.ts";
import type { WorkspaceProject } from "../ports/workspace.ts";
import type { HomePaths } from "../protocol/home.ts";
import { readText, storeText } from "./actions/store-text.ts";
import { briefFor } from "./brief.ts";
import { checkFolderOf } from "./check-folder.ts";
import { programOf } from "./find-agents.ts";
import { readGitIdentity } from "./git-identity.ts";
import { notifierOf } from "./notifiers.ts";
import type { PluginInstances } from "./plugin-instances.ts";
import type { ProjectConfigs } from "./project-configs.ts";
import { rememberFor } from "./remember.ts";
import { encloseRun, tempFolder } from "./sandbox/enclose.ts";
import { encloseCheck } from "./sandbox/enclose-check.ts";
import { encloserOf } from "./sandbox/enclose-project-command.ts";
import type { Logins } from "./sandbox/home/logins.ts";
import { dropHome, openHome } from "./sandbox/home/open-home.ts";
import { restrictNetwork } from "./sandbox/restrict-network.ts";
import type { SessionCalls } from "./session-calls.ts";
import { projectEnvironment, sessionEnvironment } from "./session-environment.ts";

/** A git identity rarely changes; reading it costs a process. */
const IDENTITY_MS = 60_000;

export interface EffectSources {
  readonly host: Host;
  readonly homeMark: string;
  readonly paths: HomePaths;
  readonly store: Store;
  readonly plugins: PluginInstances;
  readonly configs: ProjectConfigs;
  readonly logins: Logins;
  readonly session: (id: string) => SessionState | undefined;
  readonly secret: string;
  readonly calls: Pick<SessionCalls, "open" | "close">;
  readonly runDir: (sessionId: string, run: number) => string;
  readonly project: (id: string) => ProjectState | undefined;
  readonly projects: () => Iterable<ProjectState>;
}

/**
 * Provides the engine with what its effects need: plugins by session, the project's settings, environments and texts.
 */
export function createEffectDeps(sources: EffectSources): EngineDeps["effects"] {
  const { host, plugins, configs } = sources;
  // The last configuration read, so that effects need not wait for a file.
  const lastRead = new Map<string, ProjectConfig | undefined>();
  const requireProject = (id: string): ProjectState => {
    const found = sources.project(id);
    if (found === undefined) throw new InvariantError(`there is no project ${id}`);
    return found;
  };
  const project = (session: SessionState): ProjectState => requireProject(session.projectId);
  const scmOf = (projectId: string): Scm => {
    const { policy, path } = requireProject(projectId);
    return plugins.get("scm", policy?.scm ?? LOCAL, path);
  };
  const identityOf = rememberFor(IDENTITY_MS, host.clock, (path: string) => readGitIdentity(host, path));
  const refreshConfig = async (session: SessionState): Promise<ProjectConfig | undefined> => {
    const config = await configs.configOf(project(session));
    lastRead.set(session.projectId, config);
    return config;
  };
  const environmentOf = async (projectId: string, sessionId: string | null): Promise<Record<string, string>> =>
    projectEnvironment({
      host,
      shell: sessionId === null ? undefined : sources.session(sessionId)?.shell,
      config: await configs.configOf(requireProject(projectId)),
    });
  return {
    host,
    homeMark: sources.homeMark,
    workspaceOf: (session) => plugins.get("workspace", session.workspacePlugin, project(session).path),
    projectOf: (session) => toWorkspaceProject(project(session), lastRead.get(session.projectId)),
    runtimeOf: (session) => plugins.get("runtime", runtimeOfRun(session), ""),
    agentOf: (session) => plugins.get("agent", session.agent, project(session).path),
    prepare: async (session) => {
      await refreshConfig(session);
    },
    briefOf: async (session, run) =>
      briefFor(session, run, {
        host,
        project: project(session),
        config: await refreshConfig(session),
        scm: () => scmOf(session.projectId),
      }),
    briefFile: (sessionId, run) => join(sources.paths.sessions, sessionId, "bridge", `brief-${run}.md`),
    environmentOf: async (session) =>
      sessionEnvironment(session, {
        host,
        home: sources.paths.home,
        shell: session.shell,
        config: await refreshConfig(session),
        identity: () => identityOf(project(session).path),
        secret: sources.secret,
      }),
    enclose: (session, program) =>
      encloseRun(session, {
        ...program,
        host,
        paths: sources.paths,
        projectPath: project(session).path,
        openCalls: () => sources.calls.open(session.id),
        program: programOf(session.agent.plugin)?.program,
        openHome: () => {
          const agent = plugins.get("agent", session.agent, project(session).path);
          return openHome(session, { ...sources, agent, environment: program.environment });
        },
      }),
    encloserOf: (session) => {
      const { path, policy } = project(session);
      const where = { host, paths: sources.paths, projectPath: path, trust: policy?.trust };
      return encloserOf(session, where, () => environmentOf(session.projectId, session.id));
    },
    encloseCommand: (command) =>
      encloseCheck(command, { host, paths: sources.paths, projectPath: requireProject(command.projectId).path }),
    restrictNetwork: (runDir, hosts) => restrictNetwork(host, runDir, hosts),
    dropTemp: async (sessionId) => {
      await sources.calls.close(sessionId);
      await host.fs.remove(tempFolder(sources.paths, sessionId));
      await dropHome(sources, sessionId);
    },
    runDir: sources.runDir,
    textOf: (text) => readText(sources.store, text),
    keepText: async (text) => (await storeText(sources.store, text)).text,
    scmOf,
    scmProjectOf: (projectId) => {
      const { id, path, defaultBranch } = requireProject(projectId);
      return { id, path, defaultBranch };
    },
    trackerOf: async (projectId) => {
      const found = requireProject(projectId);
      return plugins.get("tracker", (await configs.configOf(found))?.tracker ?? LOCAL, found.path);
    },
    notifierOf: async (name) => {
      return notifierOf(sources, await configs.machine(sources.projects()), name);
    },
    checkDir: (changeKey, check, head, attempt) => checkFolderOf(sources.paths, { changeKey, check, head, attempt }),
    projectEnvironment: environmentOf,
  };
}

const LOCAL = { plugin: "local", config: {} } as const;

function toWorkspaceProject(project: ProjectState, config: ProjectConfig | undefined): WorkspaceProject {
  return {
    id: project.id,
    path: project.path,
    defaultBranch: project.defaultBranch,
    worktreeDir: config?.worktreeDir ?? undefined,
    symlinks: config?.symlinks,
    postCreate: config?.postCreate,
    preRemove: config?.preRemove,
  };
}
