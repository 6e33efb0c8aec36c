import type { ProjectConfig } from "../config/config.ts";
import { InvariantError } from "../core/errors.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { SessionState } from "../core/session/state.ts";
import type { EngineDeps } from "../engine/engine.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import type { WorkspaceProject } from "../ports/workspace.ts";
import type { HomePaths } from "../protocol/home.ts";
import { hasGitIdentity } from "./git-identity.ts";
import type { PluginBox } from "./plugin-box.ts";
import type { ProjectDesk } from "./project-desk.ts";
import { rememberFor } from "./remember.ts";
import { sessionEnvironment } from "./session-environment.ts";

/** A git identity changes seldom; asking for it costs a process. */
const IDENTITY_MS = 60_000;

export interface EffectSources {
  readonly host: Host;
  readonly homeMark: string;
  readonly paths: HomePaths;
  readonly store: Store;
  readonly plugins: PluginBox;
  readonly desk: ProjectDesk;
  readonly refreshed: ReadonlyMap<string, string>;
  readonly secret: string;
  readonly runDir: (sessionId: string, run: number) => string;
  readonly project: (id: string) => ProjectState | undefined;
}

/** Gives the engine what its effects need: plugins by session, the project's settings, environments and texts. */
export function createEffectDeps(sources: EffectSources): EngineDeps["effects"] {
  const { host, plugins, desk } = sources;
  // The last configuration that was read, so that effects need not wait for a file.
  const configs = new Map<string, ProjectConfig | undefined>();
  const project = (session: SessionState): ProjectState => {
    const found = sources.project(session.projectId);
    if (found === undefined) throw new InvariantError(`session ${session.id} belongs to no known project`);
    return found;
  };
  const hasIdentity = rememberFor(IDENTITY_MS, host.clock, (path: string) => hasGitIdentity(host, path));
  const refreshConfig = async (session: SessionState): Promise<ProjectConfig | undefined> => {
    const config = await desk.configOf(project(session));
    configs.set(session.projectId, config);
    return config;
  };
  return {
    host,
    homeMark: sources.homeMark,
    workspaceOf: (session) => plugins.get("workspace", session.workspacePlugin, project(session).path),
    projectOf: (session) => toWorkspaceProject(project(session), configs.get(session.projectId)),
    runtimeOf: (session) => plugins.get("runtime", session.runtime, ""),
    agentOf: (session) => plugins.get("agent", session.agent, project(session).path),
    prepare: async (session) => {
      await refreshConfig(session);
    },
    environmentOf: async (session) =>
      sessionEnvironment(session, {
        host,
        home: sources.paths.home,
        refreshed: sources.refreshed,
        config: await refreshConfig(session),
        hasIdentity: () => hasIdentity(project(session).path),
        secret: sources.secret,
      }),
    runDir: sources.runDir,
    textOf: async (text) => {
      if ("inline" in text) return text.inline;
      const found = await sources.store.getBlob(text.blob);
      if (found === null) throw new InvariantError(`the text ${text.blob} is not in the store`);
      return found;
    },
  };
}

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
