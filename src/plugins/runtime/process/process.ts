import { z } from "zod";
import { AoError } from "../../../core/errors.ts";
import type { Host, ProcessIdentity } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { RunSpec, Runtime, StartAnswer } from "../../../ports/runtime.ts";
import { endRun, probeRun, startRun } from "../../../providers/run-folder/run-folder.ts";

/** Agents as plain processes with pipes, each under the holder, so that they survive the daemon. */
export const processRuntime = definePlugin({
  slot: "runtime",
  name: "process",
  summary: "Plain processes with pipes; they keep running while the daemon is down.",
  config: z.object({}).strict(),
  requires: [{ program: "sh", versionArgs: ["-c", "echo sh"], fix: "Install a POSIX shell as sh." }],
  create: (_config, host): Runtime => ({
    modes: ["pipes"],
    start: (spec) => start(host, spec),
    probe: rememberAlive(host, (ref) => probeRun(host, ref)),
    end: (ref, graceMs) => endRun(host, ref, graceMs),
  }),
});

// Most probes find the same as the last one; as long as exactly that process lives, no file needs to be read.
function rememberAlive(host: Host, look: Runtime["probe"]): Runtime["probe"] {
  const known = new Map<string, ProcessIdentity>();
  return async (ref) => {
    const last = known.get(ref.runDir);
    if (last !== undefined && host.processes.isAlive(last)) return { kind: "alive", pid: last.pid };
    known.delete(ref.runDir);
    const seen = await look(ref);
    const identity = seen.kind === "alive" ? host.processes.identify(seen.pid) : null;
    if (identity !== null) known.set(ref.runDir, identity);
    return seen;
  };
}

async function start(host: Host, spec: RunSpec): Promise<StartAnswer> {
  const { input } = spec;
  if (input !== "terminal") return startRun(host, { ...spec, input });
  throw new AoError({
    code: "unsupported",
    message: "The runtime process has no terminal.",
    hint: "Use `runtime: tmux`, or `agentConfig.interface: structured`.",
  });
}
