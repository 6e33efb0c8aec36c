import { pickEnvironment } from "../../core/environment.ts";
import { AoError } from "../../core/errors.ts";
import { readSandbox } from "../../core/sandbox.ts";
import type { EnvironmentView } from "../../protocol/views/environment.ts";
import { explainEnvironment } from "../explain-environment.ts";
import { type GitIdentity, readGitIdentity } from "../git-identity.ts";
import type { Kernel } from "../kernel.ts";
import { gateVariables } from "../sandbox/network-gate.ts";
import { projectEnvironment, sessionEnvironment } from "../session-environment.ts";

/** What a session's programs would get if they started now, and why. */
export async function readEnvironment(kernel: Kernel, sessionId: string): Promise<EnvironmentView> {
  const { host, paths, secret } = kernel;
  const { view } = kernel.engine.loop.world;
  const session = view.session(sessionId);
  if (session === undefined)
    throw new AoError({ code: "session-unknown", message: `There is no session ${sessionId}.` });
  const project = view.project(session.projectId);
  const config = project === undefined ? undefined : await kernel.configs.configOf(project);
  const source = { host, shell: session.shell, config };
  const identity = (): Promise<GitIdentity> => readGitIdentity(host, project?.path ?? "");
  const own = projectEnvironment(source);
  const sandbox = readSandbox(session.agent.config["sandbox"]);
  const gate = sandbox === null ? {} : gateVariables(sandbox.network);
  const agent = await sessionEnvironment(session, { ...source, home: paths.home, secret, identity });
  const plugin = kernel.plugins.get("agent", session.agent, project?.path ?? "");
  const folders = sandbox === null ? {} : plugin.footprint?.(agent).environment;
  return explainEnvironment({
    daemon: host.env,
    programs: {
      agent: { ...agent, ...folders, ...gate },
      checks: own,
      postCreate: { ...own, AO_SESSION: session.id },
      git: pickEnvironment(host.env),
    },
    project: config?.env ?? {},
    gate,
    plugin: session.agent.plugin,
    projectId: session.projectId,
  });
}
