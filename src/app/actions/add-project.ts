import { keyOfPart } from "../../core/command-key.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { CallerShell } from "../../core/session/state.ts";
import type { AddProjectBody } from "../../protocol/bodies/project.ts";
import { trustPrograms } from "../../providers/git/programs.ts";
import type { AddedProject, ConfigProblem } from "../../server/actions.ts";
import type { CallContext } from "../../server/call-context.ts";
import { adoptPolicies } from "../adopt-policy.ts";
import { shellOf, takeKeys } from "../caller-environment.ts";
import { adviseAgent, findAgents, programOf } from "../find-agents.ts";
import type { Kernel } from "../kernel.ts";
import { adoptMoved } from "../move-project.ts";
import { type Candidate, findSandboxObstacle } from "../sandbox/prove-agent.ts";
import { chooseLaunch, configuredAgent, findProblems } from "./choose-launch.ts";

/** Registers the projects of a folder; a second call only applies changes of the file. */
export async function addProject(kernel: Kernel, body: AddProjectBody, context: CallContext): Promise<AddedProject> {
  takeKeys(kernel, body.env);
  const world = kernel.engine.loop.world.view;
  const found = await findAgents(kernel.host, body.env?.["PATH"] ?? kernel.host.env["PATH"]);
  const read = await kernel.configs.read({
    path: body.path,
    configFile: body.config ?? null,
    known: [...world.projects()],
    chooseAgent: async () => chooseAgent(body, found),
    findSandboxObstacle: (agent, repository) =>
      trySandbox(kernel, agent, { path: body.env?.["PATH"], cwd: repository }),
    usesForge: body.useForge ?? false,
  });
  if (read === null) return { projects: [], notes: [], created: null, choices: found };
  const registers = await Promise.all(read.registers.map((register) => adoptMoved(kernel, register)));
  for (const register of registers) {
    const key = context.key === undefined ? undefined : keyOfPart(context.key, register.id);
    await kernel.engine.submit({ input: register, key });
  }
  await adoptMachine(kernel);
  const projects = registers.flatMap(({ id }) => world.project(id) ?? []);
  // Adding a project means trusting its settings and hooks.
  for (const { path } of projects) await trustPrograms(kernel.host, kernel.paths.home, path);
  const held = projects.flatMap(({ id }) => describeHeld(id, kernel.configs.problemOf(id)));
  const overruled = await Promise.all(projects.map((project) => kernel.configs.overruledIn(project, world.projects())));
  const without = await Promise.all(projects.map((project) => withoutAgent(kernel, project, found)));
  const obstacles = read.created?.agent == null ? [] : await findObstacles(kernel, projects, shellOf(body.env));
  const notes = [...new Set([...held, ...read.notes, ...overruled.flat(), ...without.flat(), ...obstacles])];
  return { projects, notes, created: read.created, choices: [] };
}

/** What would keep the agent of a new project from starting, reported now instead of at the first `ao new`. */
async function findObstacles(
  kernel: Kernel,
  projects: readonly ProjectState[],
  shell: CallerShell,
): Promise<readonly string[]> {
  const found = projects.map(async (project) => {
    const config = await kernel.configs.configOf(project);
    return findProblems({ host: kernel.host, shell }, chooseLaunch(kernel, project, config, {}), config);
  });
  return (await Promise.all(found)).flat().map(({ message, hint }) => `${message} ${hint}`);
}

function describeHeld(projectId: string, problem: ConfigProblem | null): readonly string[] {
  return problem?.kind === "held"
    ? [`${problem.text} \`ao config accept -p ${projectId}\` shows what it would do.`]
    : [];
}

async function trySandbox(
  { host, paths, plugins }: Kernel,
  name: string,
  where: Pick<Candidate, "path" | "cwd">,
): Promise<string | null> {
  const requirement = programOf(name);
  if (requirement === null) return "Its program is not known before it is configured.";
  try {
    const { footprint } = plugins.get("agent", { plugin: name, config: {} }, where.cwd);
    return await findSandboxObstacle(host, paths, { requirement, footprint, ...where });
  } catch (error) {
    // A trial that fails keeps nobody from working without a sandbox.
    return error instanceof Error ? error.message : String(error);
  }
}

function chooseAgent(body: AddProjectBody, found: readonly string[]): string | null | undefined {
  if (body.agent !== undefined) return body.agent;
  return body.choose === true && found.length > 1 ? undefined : (found[0] ?? null);
}

async function withoutAgent(
  kernel: Kernel,
  project: ProjectState,
  found: readonly string[],
): Promise<readonly string[]> {
  if (configuredAgent(await kernel.configs.configOf(project)) !== null) return [];
  if (kernel.configs.problemOf(project.id)?.kind === "held") return [];
  return [`${project.id} has no agent. ${adviseAgent(project.id, found)}`];
}

/** Applies the configured machine-wide limits and the settings of each project. */
export async function adoptMachine(kernel: Kernel): Promise<void> {
  const machine = await kernel.configs.machine(kernel.engine.loop.world.view.projects());
  if (machine !== null) {
    const { parallelAgents: limit, ciRuns } = machine.limits;
    await kernel.engine.submit({ input: { type: "fleet.limit", limit, ciRuns } });
  }
  await adoptPolicies(kernel);
}
