import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { makeBridgedAgent } from "../../../providers/bridged/agent.ts";
import { commandField, policyFields } from "../../../providers/bridged/config.ts";
import { footprintOf } from "../../../providers/bridged/footprint.ts";
import { checkCursor, INSTALL, MIN_VERSION, SECRETS } from "./preflight.ts";
import { toTokens } from "./tokens.ts";

const Config = z
  .object({
    ...policyFields,
    permissions: policyFields.permissions.describe(
      "Must be `all`: it cannot ask anyone, so it does everything that is not denied.",
    ),
    allow: policyFields.allow.describe("No effect: with `all` nothing is left to allow."),
    ask: policyFields.ask.describe("Refused: it cannot ask anyone."),
    deny: policyFields.deny.describe("Never done: programs (`rm`), paths (`./secrets/**`) and rules (`Shell(curl)`)."),
    command: commandField("cursor-agent"),
  })
  .loose();

/** The Cursor CLI, one process per turn, through the bridge. */
export const cursor = definePlugin({
  slot: "agent",
  name: "cursor",
  summary: "The Cursor CLI, one process for each turn: receipts, usage, and the same conversation after a crash.",
  config: Config,
  requires: [{ program: "cursor-agent", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  secrets: SECRETS,
  variables: ["CURSOR_*"],
  levels: ["all"],
  create: (config, host, context) => {
    const { model, permissions, command } = config;
    const deny = config.deny.flatMap((entry) => toTokens(entry) ?? []);
    return makeBridgedAgent(host, context.projectPath, {
      name: "cursor",
      driver: "cursor",
      settings: { command, model, permissions, deny },
      secrets: SECRETS,
      hasTerminal: false,
      check: (where) => checkCursor(host, config, where),
      footprint: footprintOf(
        { path: ".cursor", variable: "CURSOR_CONFIG_DIR", conversations: ["chats", "projects"] },
        {
          path: ".config/cursor",
          logins: [{ name: "auth.json", fields: ["accessToken", "refreshToken", "apiKey"] }],
          conversations: ["chats"],
        },
      ),
    });
  },
});
