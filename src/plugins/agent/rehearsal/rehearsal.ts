import { resolve } from "node:path";
import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent, AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";

const Config = z
  .object({
    script: z
      .string()
      .min(1)
      .describe("The script that is played, or a folder with one for each issue, relative to the project."),
    pace: z.number().min(0).max(1000).default(1).describe("The waits of the script are multiplied by it."),
  })
  .loose();

const CHECK_LIMIT_MS = 30_000;

/** An agent that plays a script: a program like any other, without a model, an account or a network. */
export const rehearsal = definePlugin({
  slot: "agent",
  name: "rehearsal",
  summary: "Plays a script: edits, commits, questions, usage, mistakes and crashes, for demos and tests.",
  config: Config,
  requires: [],
  create: (config, host, context): Agent => {
    const { program, args } = host.assets.rehearsal;
    const script = resolve(context.projectPath, config.script);
    return {
      // A script responds only to the words of the task.
      readsBrief: true,
      launch: (launch) => ({
        argv: [program, ...args, ...(config.pace === 1 ? [] : ["--pace", String(config.pace)]), script],
        env: launch.resume ? { AO_RESUME: "1" } : {},
        input: launch.interface === "terminal" ? "terminal" : "inbox",
      }),
      encode: encodeMessage,
      decode: decodeSignal,
      preflight: async (wanted) => (wanted === "terminal" ? [NO_TERMINAL] : checkScript(host, script)),
    };
  },
});

const NO_TERMINAL: AgentProblem = {
  code: "unsupported",
  message: "The agent rehearsal reads JSON lines and has no terminal.",
  hint: "Use `runtime: process`, and leave `agentConfig.interface` out.",
};

async function checkScript(host: Host, script: string): Promise<readonly AgentProblem[]> {
  if ((await host.fs.realPath(script)) === null) {
    return [
      {
        code: "program-missing",
        message: `The script ${script} was not found.`,
        hint: "Check the path in `agentConfig.script`; it is relative to the project.",
      },
    ];
  }
  // The program itself validates its script.
  const { program, args } = host.assets.rehearsal;
  const checked = await host.exec({
    program,
    args: [...args, "--check", script],
    okCodes: [0, 2],
    timeoutMs: CHECK_LIMIT_MS,
  });
  if (checked.code === 0) return [];
  const hint = "docs/plugins/agent/rehearsal.md has a complete example.";
  return [{ code: "config-invalid", message: checked.stderr.trim(), hint }];
}
