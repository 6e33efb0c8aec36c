import { describe } from "vitest";
import { acceptClaude } from "./support/claude.ts";
import { isWhole } from "./support/programs.ts";
import { LIMIT } from "./support/session.ts";
import { MAIN_AGENTS, type SessionAgent } from "./support/session-agents.ts";
import { tellOfSessions } from "./support/session-story.ts";
import { hasTmux } from "./support/terminal-bridge.ts";

const PREPARED: Readonly<Record<string, Pick<SessionAgent, "prepare">>> = {
  "claude-code": { prepare: acceptClaude },
};

/** The same agent with its own interface, in a terminal. */
function inTerminal(agent: SessionAgent): SessionAgent {
  return { ...agent, ...PREPARED[agent.plugin], project: { runtime: "tmux" } };
}

for (const agent of MAIN_AGENTS) {
  const canRun = agent.command !== null && hasTmux;
  describe.skipIf(!canRun)(`a session with ${agent.title} in a terminal`, { timeout: 4 * LIMIT }, () => {
    // The others are given their prompts in a terminal as without one; only Claude Code has them typed.
    tellOfSessions(inTerminal(agent), isWhole || agent.plugin === "claude-code" ? "whole" : "short");
  });
}
