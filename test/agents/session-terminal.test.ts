import { describe } from "vitest";
import { isWhole } from "./support/programs.ts";
import { TERMINAL_AGENTS } from "./support/session-agents.ts";
import { tellOfSessions } from "./support/session-story.ts";

for (const agent of TERMINAL_AGENTS) {
  describe.skipIf(agent.command === null)(`a session with ${agent.title}`, () => {
    // The others are given their prompts in a terminal as without one.
    tellOfSessions(agent, isWhole || agent.isTyped === true ? "whole" : "short");
  });
}
