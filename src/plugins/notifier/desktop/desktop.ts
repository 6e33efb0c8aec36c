import { join } from "node:path";
import { z } from "zod";
import { AoError, PluginError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import type { Notice } from "../../../ports/notifier.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { compose } from "./compose.ts";
import { findProgram, type Program } from "./program.ts";

const TIMEOUT_MS = 10_000;
const DISPLAYS = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];
/** All that the program gets of the daemon's environment, which may contain secrets. */
const ENVIRONMENT = [...DISPLAYS, "XAUTHORITY", "XDG_RUNTIME_DIR", "PATH", "HOME", "USER", "TMPDIR", "LANG", "LC_ALL"];

/** Notifications on the desktop of the daemon's machine. */
export const desktop = definePlugin({
  slot: "notifier",
  name: "desktop",
  summary: "Notifications on this machine's desktop",
  config: z.strictObject({}),
  // The required program depends on the system; `preflight` checks it.
  requires: [],
  create: (_config, host) => ({
    send: (notices) => send(notices, host),
    preflight: async () => {
      const found = await findWay(host);
      return "obstacle" in found ? { ok: false, reason: found.obstacle } : { ok: true, reason: null };
    },
  }),
});

async function send(notices: readonly Notice[], host: Host): Promise<void> {
  if (notices.length === 0) return;
  const found = await findWay(host);
  if ("obstacle" in found) {
    throw new PluginError({
      plugin: "desktop",
      code: "plugin-unavailable",
      category: "config",
      message: found.obstacle,
    });
  }
  try {
    await host.exec({
      program: found.path,
      args: found.argsFor(compose(notices)),
      cwd: "/",
      exactEnv: environmentFor(host),
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 64 * 1024,
    });
  } catch (error) {
    throw explain(error, found.name);
  }
}

async function findWay(host: Host): Promise<Program | { readonly obstacle: string }> {
  const program = await findProgram(host);
  if (program === null) {
    return { obstacle: "notify-send is not on the daemon's PATH; install it (apt install libnotify-bin)." };
  }
  if (program.name === "osascript" || (await hasDisplay(host))) return program;
  return {
    obstacle: `The daemon has no desktop: none of ${DISPLAYS.join(", ")} is set. Start it from a desktop session.`,
  };
}

async function hasDisplay(host: Host): Promise<boolean> {
  if (DISPLAYS.some((name) => (host.env[name] ?? "") !== "")) return true;
  // If the address is not set, notify-send looks for the user's bus here.
  const folder = host.env["XDG_RUNTIME_DIR"] ?? "";
  return folder !== "" && (await host.fs.stat(join(folder, "bus"))) !== null;
}

function environmentFor(host: Host): Record<string, string> {
  const entries = ENVIRONMENT.flatMap((name) => {
    const value = host.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // Without a bus, notify-send may start one that outlives it; it must not be attributed to the intent.
  return { ...Object.fromEntries(entries), AO_INTENT: "" };
}

// Without the cause, which contains the arguments and therefore the text.
function explain(error: unknown, program: string): unknown {
  if (!(error instanceof AoError)) return error;
  const isMissing = error.code === "program-missing";
  return new PluginError({
    plugin: "desktop",
    code: error.code,
    category: isMissing ? "config" : error.code === "timeout" ? "timeout" : "unavailable",
    message: error.message,
    hint: isMissing ? undefined : `Does ${program} show something when you run it yourself?`,
  });
}
