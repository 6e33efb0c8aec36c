import { fileURLToPath } from "node:url";
import { describe } from "vitest";
import type { SessionAgent } from "./support/session-agents.ts";
import { tellOfHibernation, tellOfSessions } from "./support/session-story.ts";

const program = fileURLToPath(new URL("../fixtures/agents/acp-agent.mjs", import.meta.url));

describe("a session with an agent unknown to ao", () => {
  const agent: SessionAgent = {
    plugin: "acp",
    title: "an agent of the protocol",
    command: [process.execPath, program],
    process: program,
    free: { permissions: "all" },
    config: { usage: "process" },
    environment: (_, model) => ({ MODEL_URL: model.url }),
    usage: "turns",
  };
  tellOfSessions(agent, "whole");
  tellOfHibernation(agent);
});
