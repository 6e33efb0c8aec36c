import { describe } from "vitest";
import { isWhole } from "./support/programs.ts";
import { MAIN_AGENTS, SESSION_AGENTS } from "./support/session-agents.ts";
import { type Length, tellOfHibernation, tellOfSessions } from "./support/session-story.ts";

/** Claude Code and Codex start quickly. */
function lengthOf(plugin: string): Length | null {
  if (["claude-code", "codex"].includes(plugin)) return "whole";
  const isMain = MAIN_AGENTS.some((agent) => agent.plugin === plugin);
  if (isWhole) return isMain ? "whole" : "short";
  return isMain ? "short" : null;
}

for (const agent of SESSION_AGENTS) {
  const length = lengthOf(agent.plugin);
  if (length === null) continue;
  describe.skipIf(agent.command === null)(`a session with ${agent.title}`, () => {
    tellOfSessions(agent, length);
    if (length === "whole") tellOfHibernation(agent);
  });
}
