import type { MachineConfig } from "../../config/config.ts";
import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import { readSandbox } from "../../core/sandbox.ts";
import type { FindingView } from "../../protocol/views/daemon.ts";
import { examineHooks } from "../examine-hooks.ts";
import { adviseAgent, findAgents } from "../find-agents.ts";
import type { Kernel } from "../kernel.ts";
import { isUnconfigured, notifierOf, routingOf } from "../notifiers.ts";
import { findWarnings } from "../warnings.ts";
import { chooseLaunch, configuredAgent, findProblems } from "./choose-launch.ts";
import { trackerOf } from "./issue.ts";

/** What only the daemon knows: each project's agent as `ao new` would find it, and who is notified of problems. */
export async function examine(kernel: Kernel, path: string | undefined): Promise<readonly FindingView[]> {
  const projects = [...kernel.engine.loop.world.view.projects()].filter((project) => !project.removed);
  const agents = await Promise.all(projects.map((project) => examineAgent(kernel, project, path)));
  const trackers = await Promise.all(projects.map((project) => examineTracker(kernel, project)));
  const forges = await Promise.all(projects.map((project) => examineForge(kernel, project)));
  const machine = projects.length === 0 ? null : await kernel.configs.machine(kernel.engine.loop.world.view.projects());
  const shared = machine === null ? [] : await examineMachine(kernel, machine);
  return [...findWarnings(kernel), ...agents.flat(), ...trackers.flat(), ...forges.flat(), ...shared];
}

async function examineMachine(kernel: Kernel, machine: MachineConfig): Promise<readonly FindingView[]> {
  return [...(await examineNotifiers(kernel, machine)), ...(await examineHooks(kernel.host, machine.hooks))];
}

async function examineTracker(kernel: Kernel, project: ProjectState): Promise<readonly FindingView[]> {
  const name = `tracker of ${project.id}`;
  try {
    const finding = await (await trackerOf(kernel, project.id)).examine?.();
    return finding === undefined ? [] : [{ name, ...finding }];
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    // An unusable file is already reported with the agent.
    if (error.code !== "plugin-unavailable") return [];
    return [{ name, state: "fail", text: error.message, fix: error.hint ?? null }];
  }
}

async function examineForge(kernel: Kernel, project: ProjectState): Promise<readonly FindingView[]> {
  const { id, path, defaultBranch, policy } = project;
  if (policy === null) return [];
  const scm = kernel.plugins.get("scm", policy.scm, path);
  const strategy = policy.reactions["approved-and-green"]?.strategy ?? "squash";
  const found = (await scm.examine?.({ id, path, defaultBranch }, { strategy })) ?? [];
  return found.map((finding) => ({ name: `pull requests of ${id}`, ...finding }));
}

async function examineNotifiers(kernel: Kernel, machine: MachineConfig): Promise<readonly FindingView[]> {
  const name = "notifications";
  const used = [...new Set(Object.values(await routingOf(kernel, machine)).flat())];
  if (isUnconfigured(machine)) {
    const { reason } = await notifierOf(kernel, machine, "desktop").preflight();
    const text = used.length > 0 ? "desktop, for urgent problems and questions" : `off. ${reason ?? ""}`.trim();
    return [{ name, state: "ok", text, fix: null }];
  }
  if (used.length === 0) return [{ name, state: "ok", text: "off", fix: null }];
  return Promise.all(used.map((one) => examineNotifier(kernel, machine, one)));
}

async function examineNotifier(kernel: Kernel, machine: MachineConfig, notifier: string): Promise<FindingView> {
  const name = `notifier ${notifier}`;
  try {
    const { ok, reason } = await notifierOf(kernel, machine, notifier).preflight();
    if (ok) return { name, state: "ok", text: "ready", fix: null };
    return { name, state: "warn", text: reason ?? "cannot be used", fix: `ao notify test ${notifier}` };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return { name, state: "warn", text: error.message, fix: error.hint ?? null };
  }
}

async function examineAgent(
  kernel: Kernel,
  project: ProjectState,
  path: string | undefined,
): Promise<readonly FindingView[]> {
  const name = `agent of ${project.id}`;
  try {
    const config = await kernel.configs.configOf(project);
    if (configuredAgent(config) === null) {
      const found = await findAgents(kernel.host, path ?? kernel.host.env["PATH"]);
      return [{ name, state: "warn", text: "no agent configured", fix: adviseAgent(project.id, found) }];
    }
    await kernel.configs.requireVariables(project);
    const launch = chooseLaunch(kernel, project, config, {});
    const problems = await findProblems(
      { host: kernel.host, shell: path === undefined ? {} : { PATH: path } },
      launch,
      config,
    );
    if (problems.length === 0) {
      const sandbox = examineSandbox(project.id, launch.agent.config["sandbox"]);
      return [{ name, state: "ok", text: launch.agent.plugin, fix: null }, ...sandbox];
    }
    return problems.map(({ message, hint }) => ({ name, state: "fail", text: message, fix: hint }));
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return [{ name, state: "fail", text: error.message, fix: error.hint ?? null }];
  }
}

/** The sandbox of a project's agent, and what it lets through. */
export function examineSandbox(projectId: string, written: unknown): readonly FindingView[] {
  const sandbox = readSandbox(written);
  const name = `sandbox of ${projectId}`;
  if (sandbox === null) return [{ name, state: "ok", text: "none: the agent runs as you", fix: null }];
  const { network } = sandbox;
  const reach =
    typeof network === "string" ? `network: ${network}` : `network: ${network.join(", ")}, through ao's proxy`;
  return [{ name, state: "ok", text: `bubblewrap, ${reach}`, fix: null }];
}
