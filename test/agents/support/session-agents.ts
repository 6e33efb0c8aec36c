import { ADAPTERS, REAL_AGENTS, type RealAgent } from "./acp-programs.ts";
import type { Place } from "./bridge.ts";
import { acceptClaude, claude, claudeEnvironment, countSaved } from "./claude.ts";
import { codex, codexEnvironment } from "./codex.ts";
import type { ModelServer } from "./model-server.ts";
import { opencode, opencodeEnvironment } from "./opencode.ts";
import { hasTmux } from "./terminal-bridge.ts";

/** A program as a project's agent. */
export interface SessionAgent {
  readonly plugin: string;
  /** The folder of the real program; absent for a stand-in. */
  readonly program?: string;
  readonly title: string;
  /** Null when it is not installed. */
  readonly command: readonly string[] | null;
  /** A part of the command line of its own process. */
  readonly process: string;
  /** The policy with which it edits, runs commands and commits without a question. */
  readonly free: Readonly<Record<string, unknown>>;
  /** Other keys of its configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Other keys of the project. */
  readonly project?: Readonly<Record<string, unknown>>;
  /** Variables that point it at the scripted model; may write files below the user's home. */
  environment(place: Pick<Place, "home">, model: ModelServer): Readonly<Record<string, string>>;
  /** Its prompts are typed, which takes longer and keeps no tabs. */
  readonly isTyped?: boolean;
  /** What its user did once before, for the repository. */
  readonly prepare?: (home: string, repository: string) => void;
  /** none: no tokens; turns: those of a turn that was cut off are lost; calls: of each model call. */
  readonly usage: "none" | "turns" | "calls";
  /** How many results of tools it has put on disk, where that comes later than the next model call. */
  readonly savedResults?: (home: string) => number;
}

const ofTheirOwn: readonly SessionAgent[] = [
  {
    plugin: "claude-code",
    program: "claude-code",
    title: "Claude Code",
    command: claude === null ? null : [claude],
    process: String(claude),
    // As root it refuses to run without asking.
    free: { permissions: "edits", allow: ["Bash"] },
    environment: (_, model) => claudeEnvironment(model),
    usage: "calls",
    savedResults: (home) => countSaved(home, '"type":"tool_result"'),
  },
  {
    plugin: "codex",
    program: "codex",
    title: "Codex",
    command: codex === null ? null : [codex],
    process: "app-server",
    free: { permissions: "edits" },
    environment: codexEnvironment,
    usage: "calls",
  },
  {
    plugin: "opencode",
    program: "opencode",
    title: "OpenCode",
    command: opencode === null ? null : [opencode],
    process: "serve",
    free: { permissions: "all" },
    environment: opencodeEnvironment,
    usage: "calls",
  },
];

function ofTheProtocol({ plugin, program, title, command, config, contract }: RealAgent): SessionAgent {
  return {
    plugin,
    program,
    title,
    // The plugin adds the arguments.
    command: command?.slice(0, 1) ?? null,
    process: contract.process,
    free: { permissions: "all" },
    ...(config && { config }),
    environment: contract.environment,
    usage: contract.usage,
  };
}

/** All installed real programs that have a plugin. */
export const SESSION_AGENTS: readonly SessionAgent[] = [...ofTheirOwn, ...REAL_AGENTS.map(ofTheProtocol)];

/** Those that speak the protocol by an adapter, as people configure them with the plugin `acp`. */
export const ADAPTED_AGENTS: readonly SessionAgent[] = ADAPTERS.map(ofTheProtocol);

/** What the user of a terminal did once, and how messages get there. */
const IN_TERMINALS: Readonly<Record<string, Pick<SessionAgent, "prepare" | "isTyped">>> = {
  "claude-code": { prepare: acceptClaude, isTyped: true },
};

/** The agents that run the whole session story under the daemon. */
export const MAIN_AGENTS: readonly SessionAgent[] = ["claude-code", "codex", "opencode"].map(agentOf);

/** The same with their own interfaces, in terminals. */
export const TERMINAL_AGENTS: readonly SessionAgent[] = MAIN_AGENTS.map((agent) => ({
  ...agent,
  ...IN_TERMINALS[agent.plugin],
  title: `${agent.title} in a terminal`,
  command: hasTmux ? agent.command : null,
  project: { runtime: "tmux" },
}));

function agentOf(plugin: string): SessionAgent {
  const found = SESSION_AGENTS.find((agent) => agent.plugin === plugin);
  if (found === undefined) throw new Error(`${plugin} is not in the table`);
  return found;
}
