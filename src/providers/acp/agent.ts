import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../core/lines-protocol.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import { definePlugin, type Plugin } from "../../ports/plugin.ts";
import { footprintOf } from "../home/footprint.ts";
import { preflight } from "./preflight.ts";
import type { AcpProfile } from "./profiles.ts";

/** The policy, which is the same for all of these agents. */
export const policyFields = {
  model: z.string().min(1).optional().describe("The model's name; default: the program's own choice."),
  permissions: z
    .enum(["ask", "edits", "all"])
    .default("ask")
    .describe("What it may do without asking: what it never asks about, edits in the workspace too, or all."),
  allow: z
    .array(z.string().min(1))
    .default([])
    .describe("Never asked about: commands (`npm test`, `git *`) and paths (`./src/**`)."),
  deny: z.array(z.string().min(1)).default([]).describe("Never done: commands and paths, over `allow`."),
};

/** What every agent of the protocol can do through the bridge. */
export const CAPABILITIES = ["structured", "receipts", "questions", "permissions", "usage", "resume"];

const Config = z
  .object({
    ...policyFields,
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe("The program, by name or path, and arguments that come before those of ao."),
  })
  .loose();
type Config = z.infer<typeof Config>;

/** The plugin of an agent that is known by its profile. */
export function defineAcpAgent(profile: AcpProfile): Plugin<"agent", Config> {
  const { name, title, program, minVersion, install } = profile;
  const oldest = minVersion === null ? {} : { minVersion };
  return definePlugin({
    slot: "agent",
    name,
    summary: `${title} by the Agent Client Protocol: receipts, questions by one policy, and its conversation after a crash.`,
    config: Config,
    requires: [{ program, versionArgs: ["--version"], ...oldest, fix: install }],
    capabilities: CAPABILITIES,
    create: (config, host, context): Agent => {
      const { model, permissions, allow, deny, command = [program] } = config;
      const isFlag = profile.modelFlag !== null && model !== undefined;
      const argv = [...command, ...profile.args, ...(isFlag ? [String(profile.modelFlag), model] : [])];
      const policy = { permissions, allow, deny, ...(isFlag ? {} : { model }) };
      const secrets = pick(host.env, profile.secrets);
      const agent = makeAgent(host, {
        settings: { name: title, login: profile.login, ...profile.dialect, command: argv, ...policy },
        env: {},
        defaults: { ...profile.environment({ permissions, deny }), ...secrets },
        preflight: (wanted, environment) => {
          const where = { wanted: wanted ?? "structured", cwd: context.projectPath };
          const seen = { ...secrets, ...(environment ?? host.env) };
          return preflight(host, { ...profile, command }, { ...where, environment: seen });
        },
      });
      return { ...agent, footprint: footprintOf(...profile.folders) };
    },
  });
}

/** What differs between one agent behind the bridge and another. */
export interface AcpLaunch {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, string>>;
  readonly preflight: Agent["preflight"];
}

/** An agent that the bridge drives by the protocol. */
export function makeAgent(host: Host, launch: AcpLaunch): Agent {
  const { program, args } = host.assets.bridge;
  const argv = [program, ...args, "acp", JSON.stringify(launch.settings)];
  return {
    launch: ({ interface: wanted, resume }) => ({
      argv,
      env: { ...launch.env, ...(resume ? { AO_RESUME: "1" } : {}) },
      defaults: launch.defaults,
      input: wanted === "terminal" ? "terminal" : "inbox",
    }),
    encode: encodeMessage,
    decode: decodeSignal,
    preflight: launch.preflight,
  };
}

function pick(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
