import { fileURLToPath } from "node:url";
import type { Host, Log } from "../ports/host.ts";
import { createSystemClock } from "./clock.ts";
import { exec } from "./exec.ts";
import { createHostFs } from "./fs.ts";
import { http } from "./http.ts";
import { withIntent } from "./intent-context.ts";
import { createHostProcesses } from "./processes.ts";

/** Each session has a bridge, which is mostly idle: memory matters more than speed. */
const SMALL = ["--optimize-for-size", "--max-semi-space-size=1"];

/** The real Host, on this machine. */
export function createNodeHost(options: {
  readonly log: Log;
  readonly env?: Readonly<Record<string, string | undefined>>;
}): Host {
  return {
    exec,
    fs: createHostFs(),
    processes: createHostProcesses(),
    http,
    clock: createSystemClock(),
    log: options.log,
    env: options.env ?? process.env,
    withIntent,
    assets: {
      holder: fileURLToPath(new URL("../platform/holder.sh", import.meta.url)),
      // The built program, even when this file runs from src/.
      rehearsal: {
        program: process.execPath,
        args: [fileURLToPath(new URL("../../dist/rehearsal/main.js", import.meta.url))],
      },
      bridge: {
        program: process.execPath,
        args: [...SMALL, fileURLToPath(new URL("../../dist/bridge/main.js", import.meta.url))],
      },
      gate: {
        program: process.execPath,
        script: fileURLToPath(new URL("../../dist/gate/main.js", import.meta.url)),
      },
      hookRunner: {
        program: process.execPath,
        script: fileURLToPath(new URL("../../dist/hook-runner/main.js", import.meta.url)),
      },
    },
  };
}
