import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { FindingView } from "../../protocol/view.ts";
import { adviseAgent, findAgents } from "../find-agents.ts";
import type { Kernel } from "../kernel.ts";
import { chooseLaunch, configuredAgent, findProblems } from "./choose-launch.ts";

/** What `ao new` would say of each project's agent; `path` is the PATH of the shell that asks. */
export async function examineAgents(kernel: Kernel, path: string | undefined): Promise<readonly FindingView[]> {
  const projects = [...kernel.engine.loop.world.view.projects()].filter((project) => !project.removed);
  return (await Promise.all(projects.map((project) => examineAgent(kernel, project, path)))).flat();
}

async function examineAgent(
  kernel: Kernel,
  project: ProjectState,
  path: string | undefined,
): Promise<readonly FindingView[]> {
  const name = `agent of ${project.id}`;
  const refreshed = new Map([...kernel.refreshed, ...(path === undefined ? [] : [["PATH", path] as const])]);
  try {
    const config = await kernel.desk.configOf(project);
    if (configuredAgent(config) === null) {
      const found = await findAgents(kernel.host, refreshed.get("PATH") ?? kernel.host.env["PATH"]);
      return [{ name, state: "warn", text: "no agent configured", fix: adviseAgent(project.id, found) }];
    }
    await kernel.desk.requireVariables(project);
    const launch = chooseLaunch(kernel, project, config, {});
    const problems = await findProblems({ host: kernel.host, refreshed }, launch, config);
    if (problems.length === 0) return [{ name, state: "ok", text: launch.agent.plugin, fix: null }];
    return problems.map(({ message, hint }) => ({ name, state: "fail", text: message, fix: hint }));
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return [{ name, state: "fail", text: error.message, fix: error.hint ?? null }];
  }
}
