import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { makeBridgedAgent } from "../../../providers/bridged/agent.ts";
import { commandField, policyFields } from "../../../providers/bridged/config.ts";
import { footprintOf } from "../../../providers/bridged/footprint.ts";
import { checkAider, INSTALL, KEYS, MIN_VERSION } from "./preflight.ts";

const Config = z
  .object({
    ...policyFields,
    model: policyFields.model.describe("The model's name or alias; default: depends on the key."),
    permissions: policyFields.permissions.describe(
      "Must be `edits` or `all`, which are the same: it edits and commits without asking, and runs no commands.",
    ),
    allow: policyFields.allow.describe("No effect: it never asks."),
    ask: policyFields.ask.describe("Refused: it cannot ask anyone."),
    deny: policyFields.deny.describe("Commands only, and it runs none anyway; paths are refused."),
    command: commandField("aider"),
  })
  .loose();

/** Aider, one process per turn, through the bridge. */
export const aider = definePlugin({
  slot: "agent",
  name: "aider",
  summary: "Aider, one process for each turn: receipts, usage, commits of its own, and its history after a crash.",
  config: Config,
  requires: [{ program: "aider", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  secrets: KEYS,
  variables: ["AIDER_*", "OPENAI_*", "ANTHROPIC_*", "OPENROUTER_*", "OLLAMA_*", "LITELLM_*", "AWS_*", "AZURE_*"],
  levels: ["edits", "all"],
  create: (config, host, context) => {
    const { model, permissions, command } = config;
    return makeBridgedAgent(host, context.projectPath, {
      name: "aider",
      driver: "aider",
      settings: { command, model, permissions },
      secrets: KEYS,
      hasTerminal: false,
      check: (where) => checkAider(host, config, where),
      footprint: footprintOf({ path: ".aider" }),
    });
  },
});
