import { describe } from "vitest";
import { isWhole } from "./support/programs.ts";
import { TERMINAL_AGENTS } from "./support/session-agents.ts";
import { tellOfDeaths, tellOfSessions } from "./support/session-story.ts";

for (const agent of TERMINAL_AGENTS) {
  describe.skipIf(agent.command === null)(`a session with ${agent.title}`, () => {
    // session.test.ts covers the rest for the same agents without a terminal.
    if (isWhole || agent.isTyped !== true) tellOfSessions(agent, isWhole ? "whole" : "short");
    else tellOfDeaths(agent);
  });
}
