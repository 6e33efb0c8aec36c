import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { makeBridgedAgent } from "../../../providers/bridged/agent.ts";
import { policyFields } from "../../../providers/bridged/config.ts";
import { checkProgram } from "../../../providers/bridged/program.ts";

const Config = z
  .object({
    command: z.array(z.string()).min(1).describe("The program and all its arguments."),
    env: z.record(z.string(), z.string()).default({}).describe("Variables for this agent only."),
    name: z.string().min(1).default("The agent").describe("Its display name in questions and errors."),
    ...policyFields,
    mode: z.string().min(1).optional().describe("One of the modes that the agent offers, set at the start."),
    usage: z
      .enum(["conversation", "process", "turn", "none"])
      .default("conversation")
      .describe("What the token counts in its answers cover; per the protocol, the conversation."),
  })
  .loose();

const ANY = {
  title: "The agent",
  install: "Install it, or put its folder on PATH, or give its full path in `agentConfig.command`.",
  minVersion: null,
};

/** Any agent that speaks the Agent Client Protocol, by its command line. */
export const acp = definePlugin({
  slot: "agent",
  name: "acp",
  summary: "Any agent of the Agent Client Protocol, by its command line.",
  config: Config,
  requires: [],
  create: ({ command, env, name, model, permissions, allow, ask, deny, mode, usage }, host, context) =>
    makeBridgedAgent(host, context.projectPath, {
      name: "acp",
      driver: "acp",
      settings: { command, name, model, permissions, allow, ask, deny, mode, usage },
      env,
      hasTerminal: false,
      check: async (where) => {
        const problem = await checkProgram(host, { ...ANY, command }, where);
        return problem === null ? [] : [problem];
      },
    }),
});
