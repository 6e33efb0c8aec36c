import type { PluginRef, ProjectConfig } from "../../config/config.ts";
import { AoError } from "../../core/errors.ts";
import type { PluginUse } from "../../core/plugin-use.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { AgentInput, CallerShell } from "../../core/session/state.ts";
import { registry } from "../../plugins/registry.ts";
import type { Agent, AgentInterface, AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import type { Plugin, Slot } from "../../ports/plugin.ts";
import type { CreateSessionBody } from "../../protocol/bodies/session.ts";
import { findProgram } from "../../providers/bridged/program.ts";
import { adviseAgent, findAgents } from "../find-agents.ts";
import type { Kernel } from "../kernel.ts";
import { findSandboxProblems } from "../sandbox/preflight.ts";
import { projectEnvironment } from "../session-environment.ts";

export interface Launch {
  readonly agent: PluginUse;
  readonly runtime: PluginUse;
  readonly input: AgentInput;
  readonly interface: AgentInterface;
  readonly instance: Agent;
}

/** The launch for a project; the error for a project without an agent lists the installed ones. */
export async function requireLaunch(
  kernel: Kernel,
  project: ProjectState,
  config: ProjectConfig | undefined,
  body: Pick<CreateSessionBody, "agent" | "runtime" | "env">,
): Promise<Launch> {
  if (configuredAgent(config) !== null || body.agent !== undefined) return chooseLaunch(kernel, project, config, body);
  const found = await findAgents(kernel.host, body.env?.["PATH"] ?? kernel.host.env["PATH"]);
  const message = `Project ${project.id} has no agent.`;
  throw new AoError({ code: "config-invalid", message, hint: adviseAgent(project.id, found) });
}

/**
 * The agent and runtime from a project's configuration and the caller's choices; throws if they do not fit together.
 */
export function chooseLaunch(
  kernel: Pick<Kernel, "plugins">,
  project: ProjectState,
  config: ProjectConfig | undefined,
  body: Pick<CreateSessionBody, "agent" | "runtime" | "model" | "permissions">,
): Launch {
  const configured = configuredAgent(config);
  const named = body.agent ?? configured?.plugin ?? "command";
  const usual: PluginUse =
    configured?.plugin === named ? configured : { plugin: named, config: settingsForAnother(configured, config) };
  const agent = withChoices(kernel, usual, body);
  const askedRuntime = body.runtime ?? config?.runtime?.plugin ?? null;
  const asked: AgentInterface | null = config?.agentInterface ?? null;
  const runtime = askedRuntime ?? (asked === "terminal" ? "tmux" : "process");
  const wanted: AgentInterface = asked ?? (runtime === "tmux" ? "terminal" : "structured");
  if ((wanted === "terminal") !== (runtime === "tmux")) {
    throw new AoError({
      code: "config-invalid",
      message: `The runtime ${runtime} cannot give an agent the interface ${wanted}.`,
      hint: "Use `runtime: tmux` with `agentConfig.interface: terminal`, or `runtime: process` with `structured`.",
    });
  }
  const instance = kernel.plugins.get("agent", agent, project.path);
  const runtimeUse: PluginUse = {
    plugin: runtime,
    config: config?.runtime?.plugin === runtime ? config.runtime.config : {},
  };
  kernel.plugins.get("runtime", runtimeUse, "");
  const { input } = instance.launch({ interface: wanted, resume: false });
  return { agent, runtime: runtimeUse, instance, interface: wanted, input };
}

/** The agent with the caller's choices for this session. */
function withChoices(
  kernel: Pick<Kernel, "plugins">,
  agent: PluginUse,
  { model, permissions }: Pick<CreateSessionBody, "model" | "permissions">,
): PluginUse {
  const chosen = Object.entries({ model, permissions }).filter(([, value]) => value !== undefined);
  const refused = chosen.find(([name]) => !kernel.plugins.takes("agent", agent.plugin, name))?.[0];
  if (refused !== undefined) {
    throw new AoError({
      code: "config-invalid",
      message: `The agent "${agent.plugin}" has no setting "${refused}".`,
      hint: `Leave --${refused} out, or choose another agent with --agent.`,
    });
  }
  return { ...agent, config: { ...agent.config, ...Object.fromEntries(chosen) } };
}

/** Settings that apply to any agent of a project; a program or a model belongs to the agent it was written for. */
const FOR_ALL = ["permissions", "allow", "deny", "sandbox"];

function settingsForAnother(configured: PluginRef | null, config: ProjectConfig | undefined): PluginUse["config"] {
  const settings = Object.entries(config?.agentConfig ?? {});
  return Object.fromEntries(configured === null ? settings : settings.filter(([name]) => FOR_ALL.includes(name)));
}

/** The agent of a project's configuration. */
export function configuredAgent(config: ProjectConfig | undefined): PluginRef | null {
  // A command alone is enough to select the agent `command`.
  const byCommand =
    config?.agentConfig["command"] === undefined ? null : { plugin: "command", config: config.agentConfig };
  return config?.agent ?? byCommand;
}

/** What prevents a launch in this project, with the environment that a session would have. */
export async function findProblems(
  { host, shell }: { readonly host: Host; readonly shell: CallerShell | undefined },
  launch: Launch,
  config: ProjectConfig | undefined,
): Promise<readonly AgentProblem[]> {
  const environment = projectEnvironment({ host, shell, config });
  return [
    ...(await findMissingPrograms(host, "runtime", launch.runtime.plugin, environment)),
    ...(await launch.instance.preflight(launch.interface, environment)),
    ...(await findSandboxProblems(host, launch, environment)),
  ];
}

/** Programs that a plugin requires and that are not on PATH, so that this is known before a session fails. */
export async function findMissingPrograms(
  host: Host,
  slot: Slot,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly AgentProblem[]> {
  const plugin = (registry as readonly Plugin[]).find((one) => one.slot === slot && one.name === name);
  const problems: AgentProblem[] = [];
  for (const { program, fix } of plugin?.requires ?? []) {
    if ((await findProgram(host, program, { cwd: "/", environment })) !== null) continue;
    const message = `The ${slot} ${name} needs ${program}, which is not installed.`;
    problems.push({ code: "program-missing", message, hint: fix });
  }
  return problems;
}
