import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent } from "../../../ports/agent.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { CAPABILITIES, policyFields } from "../../../providers/acp/agent.ts";
import { preflight } from "../../../providers/acp/preflight.ts";
import { footprintOf } from "../../../providers/home/footprint.ts";

/** The oldest version that was tried. */
const MIN_VERSION = "1.18.33";
const INSTALL = "Install it: `npm install -g opencode-ai`.";
const LOGIN = "Log in with `opencode auth login`.";

const Config = z
  .object({
    ...policyFields,
    command: z
      .array(z.string())
      .min(1)
      .default(["opencode"])
      .describe("The program, by name or path, and arguments that come before those of ao."),
  })
  .loose();

/** Variables of the daemon that only this agent gets: it takes the key of any vendor. */
const SECRETS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_API_KEY"];

/** OpenCode, driven by its own server through the bridge. */
export const opencode = definePlugin({
  slot: "agent",
  name: "opencode",
  summary: "OpenCode by its own server: receipts, questions by one policy, usage, and its conversation after a crash.",
  config: Config,
  requires: [{ program: "opencode", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  capabilities: CAPABILITIES,
  create: (config, host, context): Agent => {
    const { program, args } = host.assets.bridge;
    const { model, permissions, allow, deny, command } = config;
    const settings = JSON.stringify({ command, model, permissions, allow, deny });
    const secrets = Object.fromEntries(SECRETS.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : [])));
    return {
      launch: (launch) => ({
        argv: [program, ...args, "opencode", settings],
        env: launch.resume ? { AO_RESUME: "1" } : {},
        defaults: secrets,
        input: launch.interface === "terminal" ? "terminal" : "inbox",
      }),
      encode: encodeMessage,
      decode: decodeSignal,
      preflight: (wanted, environment) => {
        // It has models that need no login.
        const wish = { name: "opencode", title: "OpenCode", install: INSTALL, login: LOGIN, minVersion: MIN_VERSION };
        const where = { wanted: wanted ?? ("structured" as const), cwd: context.projectPath };
        const seen = { ...secrets, ...(environment ?? host.env) };
        return preflight(host, { ...wish, signs: null, command }, { ...where, environment: seen });
      },
      footprint: footprintOf(".local/share/opencode", ".local/state/opencode", ".cache/opencode", ".config/opencode"),
    };
  },
});
