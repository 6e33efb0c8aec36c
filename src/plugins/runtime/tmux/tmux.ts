import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { createTmuxClient } from "../../../providers/tmux/client.ts";
import { createKeyboard } from "../../../providers/tmux/keyboard.ts";
import { endRun } from "./end.ts";
import { chooseSocket } from "./names.ts";
import { probeRun } from "./probe.ts";
import { startRun } from "./start.ts";
import { createTerminal } from "./terminal.ts";

const Config = z.strictObject({
  quietMs: z.number().int().min(0).default(15_000).describe("Quiet time after a person's key before ao types."),
  settleMs: z.number().int().min(0).default(400).describe("How long the screen is still before ao presses Enter."),
});

/** Agents in real terminals, on their own tmux server, which survives the daemon. */
export const tmux = definePlugin({
  slot: "runtime",
  name: "tmux",
  summary: "A terminal for each agent, on ao's own tmux server",
  config: Config,
  requires: [
    {
      program: "tmux",
      versionArgs: ["-V"],
      minVersion: "3.2",
      fix: "Install tmux 3.2 or newer (apt install tmux, brew install tmux), or use the runtime `process`.",
    },
  ],
  create: (config, host, context) => {
    const place = chooseSocket(context.home);
    const client = createTmuxClient(host, place.path);
    return {
      modes: ["terminal"],
      start: (spec) => startRun({ host, client, place, timing: config }, spec),
      probe: (ref) => probeRun(host, ref),
      end: (ref, graceMs) => endRun(host, client, { ref, graceMs }),
      terminal: createTerminal(host, client, createKeyboard(host, client, config)),
    };
  },
});
