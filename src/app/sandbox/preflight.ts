import type { PluginUse } from "../../core/plugin-use.ts";
import { readSandbox } from "../../core/sandbox.ts";
import type { AgentInput } from "../../core/session/state.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import { BUBBLEWRAP_TRIAL } from "./bubblewrap.ts";
import { judgePlatform, judgeTrial, type SandboxProblem } from "./trial.ts";

const TRIAL_LIMIT_MS = 10_000;
const ANSWERS: readonly number[] = Array.from({ length: 256 }, (_, code) => code);

interface Launch {
  readonly agent: PluginUse;
  readonly runtime: PluginUse;
  readonly input: AgentInput;
  readonly instance: Agent;
}

/** What keeps the configured sandbox from working, or from keeping its promises; found before anything exists. */
export async function findSandboxProblems(
  host: Host,
  launch: Launch,
  environment: Readonly<Record<string, string>>,
): Promise<readonly SandboxProblem[]> {
  const sandbox = readSandbox(launch.agent.config["sandbox"]);
  if (sandbox === null) return [];
  const problem =
    judgePlatform(process.platform) ??
    judgeRuntime(launch) ??
    (sandbox.network === "none" ? judgeNetwork(launch, environment) : null) ??
    (await findBubblewrapProblem(host, environment));
  return problem === null ? [] : [problem];
}

/** Why no sandbox works on this machine, with the fix; null: it works. */
export async function findBubblewrapProblem(
  host: Host,
  environment: Readonly<Record<string, string>>,
): Promise<SandboxProblem | null> {
  return judgePlatform(process.platform) ?? (await tryBubblewrap(host, environment));
}

function judgeRuntime({ agent, runtime, input }: Launch): SandboxProblem | null {
  if (runtime.plugin !== "process" && runtime.plugin !== "tmux") {
    return {
      code: "unsupported",
      message: `\`sandbox: bubblewrap\` is for programs of this machine, and the runtime ${runtime.plugin} runs them elsewhere.`,
      hint: "Leave `agentConfig.sandbox` out, or use `runtime: process`.",
    };
  }
  if (runtime.plugin !== "tmux" || input === "terminal") return null;
  return {
    code: "unsupported",
    message: `The terminal of ${agent.plugin} needs the tmux server, through which a program could leave the sandbox.`,
    hint: "Use `runtime: process` with `sandbox: bubblewrap`.",
  };
}

function judgeNetwork(
  { agent, instance }: Launch,
  environment: Readonly<Record<string, string>>,
): SandboxProblem | null {
  if (instance.footprint?.(environment).network !== true) return null;
  return {
    code: "unsupported",
    message: `The agent ${agent.plugin} asks its model over the network, so it cannot work with \`network: none\`.`,
    hint: "List the hosts of its model (`network: [api.example.com]`), or use `network: all`.",
  };
}

async function tryBubblewrap(
  host: Host,
  environment: Readonly<Record<string, string>>,
): Promise<SandboxProblem | null> {
  const [program = "", ...args] = BUBBLEWRAP_TRIAL;
  const exactEnv = { PATH: environment["PATH"] ?? "", LC_ALL: "C" };
  return judgeTrial(await host.exec({ program, args, exactEnv, timeoutMs: TRIAL_LIMIT_MS, okCodes: ANSWERS }));
}
