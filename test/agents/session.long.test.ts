import { describe } from "vitest";
import { isWhole } from "./support/programs.ts";
import { ADAPTED_AGENTS, MAIN_AGENTS, SESSION_AGENTS } from "./support/session-agents.ts";
import { type Length, tellOfHibernation, tellOfSessions } from "./support/session-story.ts";

/**
 * In `npm test` the main agents go from the task to the merge, Claude Code in first-hour.test.ts; claude-questions, claude-deaths and
 * session-terminal cover the rest.
 */
function lengthOf(plugin: string): Length | null {
  const isMain = MAIN_AGENTS.some((agent) => agent.plugin === plugin);
  if (isWhole) return isMain ? "whole" : "short";
  return isMain ? "short" : null;
}

for (const agent of [...SESSION_AGENTS, ...ADAPTED_AGENTS]) {
  const length = lengthOf(agent.plugin);
  if (length === null) continue;
  describe.skipIf(agent.command === null)(`a session with ${agent.title}`, () => {
    if (isWhole || agent.plugin !== "claude-code") tellOfSessions(agent, length);
    // No other test in `npm test` lets an agent hibernate.
    if (length === "whole" || agent.plugin === "claude-code") tellOfHibernation(agent);
  });
}
