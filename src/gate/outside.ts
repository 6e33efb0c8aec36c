import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { constants } from "node:os";
import { encodeSignal } from "../core/lines-protocol.ts";
import { PROXY_SOCKET } from "../core/sandbox.ts";
import { createProxy } from "./proxy.ts";

/** An agent that tries names without end gets no line for each. */
const MAX_REPORTS = 50;

/** Signals for the program, which has them from its group; the proxy lives exactly as long as the program does. */
const SIGNALS = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"] as const;

/** Listens in a folder, then runs the program until it ends, and ends as it did. */
export async function runOutside([folder = "", hosts = "[]", program = "", ...args]: readonly string[]): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  const proxy = createProxy({ hosts: JSON.parse(hosts) as readonly string[], onRefused: createReport() });
  // A path of a socket is short, and that of a run's folder need not be.
  const here = process.cwd();
  process.chdir(folder);
  rmSync(PROXY_SOCKET, { force: true });
  await new Promise<void>((resolve) => proxy.listen(PROXY_SOCKET, resolve));
  process.chdir(here);
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`ao: ${program} did not start: ${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}

/** Says once for each host that it was refused: to whoever reads the agent's output, and to the daemon. */
function createReport(): (host: string, reason: string) => void {
  const told = new Set<string>();
  return (host, reason) => {
    if (told.has(host) || told.size >= MAX_REPORTS) return;
    told.add(host);
    process.stderr.write(`ao: refused: ${host} ${reason}\n`);
    if (!process.stdout.isTTY) process.stdout.write(encodeSignal({ kind: "refused", host }));
  };
}
