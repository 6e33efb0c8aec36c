import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent } from "../../../ports/agent.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { findProgram, missing } from "../../../providers/bridged/program.ts";

const Config = z
  .object({
    command: z.array(z.string()).min(1).describe("The program and its arguments."),
    protocol: z.enum(["lines", "oneshot"]).default("lines").describe("One process for all messages, or one for each."),
  })
  .loose();

const INSTALL = "Install it, or put its folder on PATH, or give its full path in `agentConfig.command`.";

/** Any program as an agent: JSON lines, one process per message, or a terminal. */
export const command = definePlugin({
  slot: "agent",
  name: "command",
  summary: "Any program, by JSON lines on stdin, one process per message, or in a terminal.",
  config: Config,
  requires: [],
  create: (config, host, context): Agent => ({
    launch: (launch) => ({
      argv: config.command,
      env: launch.resume ? { AO_RESUME: "1" } : {},
      input: launch.interface === "terminal" ? "terminal" : config.protocol === "oneshot" ? "file" : "inbox",
    }),
    encode: (message) => (config.protocol === "oneshot" ? message.text : encodeMessage(message)),
    decode: config.protocol === "oneshot" ? () => null : decodeSignal,
    preflight: async (_, environment) => {
      const program = config.command[0] as string;
      const where = { cwd: context.projectPath, environment: environment ?? host.env };
      return (await findProgram(host, program, where)) === null ? [missing(program, INSTALL)] : [];
    },
  }),
});
