import { decodeSignal, encodeMessage } from "../../core/lines-protocol.ts";
import type { Agent, AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import type { Where } from "./program.ts";

/** What differs between agents behind the bridge. */
export interface BridgedAgent {
  /** The plugin's name. */
  readonly name: string;
  /** The bridge's driver and its settings; never a secret. */
  readonly driver: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly defaults?: Readonly<Record<string, string>>;
  /** Variables of the daemon that only this agent gets; other variables that look like secrets reach no session. */
  readonly secrets?: readonly string[];
  /** The vendor's own interface is available in a terminal. */
  readonly hasTerminal: boolean;
  /** Finds what would keep it from working, without launching a session or reading a secret. */
  check(where: Where): Promise<readonly AgentProblem[]>;
  readonly footprint?: NonNullable<Agent["footprint"]>;
}

/** An agent driven by the bridge, over pipes or beside the vendor's interface in a terminal. */
export function makeBridgedAgent(host: Host, projectPath: string, agent: BridgedAgent): Agent {
  const { program, args } = host.assets.bridge;
  const argv = [program, ...args, agent.driver, JSON.stringify(agent.settings)];
  // Read each time: the key in the user's shell may have changed.
  const secrets = (): Record<string, string> => pick(host.env, agent.secrets ?? []);
  return {
    readsBrief: true,
    launch: ({ resume }) => ({
      argv,
      env: { ...agent.env, ...(resume ? { AO_RESUME: "1" } : {}) },
      defaults: { ...agent.defaults, ...secrets() },
      input: "inbox",
    }),
    encode: encodeMessage,
    decode: decodeSignal,
    preflight: async (wanted = "structured", environment) => {
      if (wanted === "terminal" && !agent.hasTerminal) return [noTerminal(agent.name)];
      return agent.check({ wanted, cwd: projectPath, environment: { ...secrets(), ...(environment ?? host.env) } });
    },
    ...(agent.footprint && { footprint: agent.footprint }),
  };
}

/** The problem of a rule that a program without questions cannot follow. */
export function cannotAsk(title: string): AgentProblem {
  return {
    code: "unsupported",
    message: `${title} cannot ask a person, so it has no use for \`ask\`.`,
    hint: "Remove `agentConfig.ask`, or move its entries to `agentConfig.deny`.",
  };
}

function noTerminal(name: string): AgentProblem {
  return {
    code: "unsupported",
    message: `The agent ${name} has no terminal interface in this version.`,
    hint: "Use `runtime: process`, and leave `agentConfig.interface` out.",
  };
}

function pick(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
