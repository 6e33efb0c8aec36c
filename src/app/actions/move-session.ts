import type { ProjectConfig } from "../../config/config.ts";
import { AoError } from "../../core/errors.ts";
import type { PluginUse } from "../../core/plugin-use.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { AgentProblem } from "../../ports/agent.ts";
import type { RuntimeName } from "../../protocol/choices.ts";
import { findProgram } from "../../providers/bridged/program.ts";
import type { CallContext } from "../../server/call-context.ts";
import type { Kernel } from "../kernel.ts";
import { findProblems } from "./choose-launch.ts";

/**
 * Moves a session to another runtime if its agent can continue there; moving back to the original one is always
 * allowed.
 */
export async function moveSession(
  kernel: Kernel,
  sessionId: string,
  runtime: RuntimeName,
  context: CallContext,
): Promise<void> {
  const world = kernel.engine.loop.world.view;
  const session = world.session(sessionId);
  const project = session === undefined ? undefined : world.project(session.projectId);
  let use: PluginUse = { plugin: runtime, config: {} };
  if (session?.movedFrom?.plugin === runtime) use = session.movedFrom;
  else if (session !== undefined && project !== undefined && session.runtime.plugin !== runtime) {
    const config = await kernel.configs.configOf(project);
    if (config?.runtime?.plugin === runtime) use = { plugin: runtime, config: config.runtime.config };
    await requireFit(kernel, { session, projectPath: project.path, config, use });
  }
  await kernel.engine.submit({ input: { type: "session.move", sessionId, runtime: use }, key: context.key });
}

interface Move {
  readonly session: SessionState;
  readonly projectPath: string;
  readonly config: ProjectConfig | undefined;
  readonly use: PluginUse;
}

async function requireFit(kernel: Kernel, { session, projectPath, config, use }: Move): Promise<void> {
  const { agent, id, input } = session;
  const instance = kernel.plugins.get("agent", agent, projectPath);
  const wanted = kernel.plugins.get("runtime", use, "").modes.includes("terminal") ? "terminal" : "structured";
  const there = instance.launch({ interface: wanted, resume: true });
  if (input !== "inbox" || there.input !== "inbox") {
    throw new AoError({
      code: "unsupported",
      message: `The agent ${agent.plugin} has no ${wanted} interface that can continue the same conversation.`,
      hint: followIt(id),
    });
  }
  const launch = { agent, runtime: use, input: there.input, interface: wanted, instance } as const;
  const [problem] = [
    ...(await findProblems({ host: kernel.host, shell: session.shell }, launch, config)),
    ...(await findRuntimeProblems(kernel, use)),
  ];
  if (problem === undefined) return;
  // The hint about `runtime: tmux` is for a project's configuration; it does not help a session that already runs
  // without it.
  throw new AoError({ ...problem, hint: problem.code === "unsupported" ? followIt(id) : problem.hint });
}

async function findRuntimeProblems({ host }: Kernel, { plugin }: PluginUse): Promise<readonly AgentProblem[]> {
  if (plugin !== "tmux" || (await findProgram(host, "tmux", { cwd: "", environment: host.env })) !== null) return [];
  return [
    {
      code: "program-missing",
      message: "An agent's terminal needs tmux, which was not found.",
      hint: "Install tmux 3.2 or newer (apt install tmux, brew install tmux).",
    },
  ];
}

function followIt(id: string): string {
  return `\`ao attach ${id}\` follows what it prints.`;
}
