import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MachineConfig } from "../config/config.ts";
import { normalizeMachine } from "../config/normalize-machine.ts";
import { parseConfig } from "../config/parse.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { Host } from "../ports/host.ts";
import { tempDir } from "../testing/temp.ts";
import { findMissingPrograms } from "./actions/choose-launch.ts";
import { routingOf } from "./notifiers.ts";
import { createPluginInstances } from "./plugin-instances.ts";

function machineOf(text: string): MachineConfig {
  return normalizeMachine(parseConfig(text, "f", { env: {} }).written, { base: "/", home: "/" });
}

/** A machine with notify-send on PATH, with or without a display. */
function aHost(display: string): Host {
  const bin = tempDir();
  writeFileSync(join(bin, "notify-send"), "#!/bin/sh\n");
  chmodSync(join(bin, "notify-send"), 0o755);
  return createNodeHost({ log: createSilentLog(), env: { PATH: bin, DISPLAY: display } });
}

async function route(host: Host, text: string): Promise<object> {
  return routingOf({ plugins: createPluginInstances(host, tempDir()) }, machineOf(text));
}

const NOTHING = { urgent: [], action: [], warning: [], info: [] };

describe("notifications", () => {
  it("go to the desktop if nothing is configured, but only urgent ones", async () => {
    expect(await route(aHost(":0"), "port: 3000")).toEqual({ ...NOTHING, urgent: ["desktop"] });
  });

  it("go nowhere by default without a desktop", async () => {
    expect(await route(aHost(""), "port: 3000")).toEqual(NOTHING);
    const bare = createNodeHost({ log: createSilentLog(), env: { PATH: tempDir(), DISPLAY: ":0" } });
    expect(await route(bare, "port: 3000")).toEqual(NOTHING);
  });

  it.each([
    ["an empty list", "defaults: { notifiers: [] }", NOTHING],
    [
      "a list",
      "defaults: { notifiers: [desktop] }",
      Object.fromEntries(Object.keys(NOTHING).map((key) => [key, ["desktop"]])),
    ],
    ["routing", "notificationRouting: { info: [desktop] }", { ...NOTHING, info: ["desktop"] }],
  ])("follow %s of the configuration", async (_, text, routing) => {
    expect(await route(aHost(":0"), text)).toEqual(routing);
  });
});

it("a runtime with a missing program is reported before a session is created", async () => {
  const host = createNodeHost({ log: createSilentLog(), env: {} });
  expect(await findMissingPrograms(host, "runtime", "tmux", { PATH: tempDir() })).toEqual([
    {
      code: "program-missing",
      message: "The runtime tmux needs tmux, which is not installed.",
      hint: expect.stringContaining("apt install tmux"),
    },
  ]);
});
