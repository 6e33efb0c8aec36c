import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { encodeSignal } from "../core/lines-protocol.ts";
import { LIMIT_FOLDER, PROXY_SOCKET } from "../core/sandbox.ts";
import { openLimit } from "./limit.ts";
import { createProxy } from "./proxy.ts";

/** Keeps an agent that tries endless host names from flooding the log. */
const MAX_REPORTS = 50;
/** The same for servers whose answers cannot be passed on. */
const MAX_TROUBLES = 20;

/**
 * The program gets these signals through its process group; the proxy ignores them and lives exactly as long as the
 * program.
 */
const SIGNALS = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"] as const;

/** Listens in a folder, runs the program to its end, and exits with the program's status. */
export async function runOutside([folder = "", hosts = "[]", program = "", ...args]: readonly string[]): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  const limit = openLimit(join(folder, "..", LIMIT_FOLDER));
  const listed = JSON.parse(hosts) as readonly string[];
  const onTrouble = createTroubleReport();
  const rules = { hosts: listed, onlyHosts: limit.hosts };
  const { server, enforce } = createProxy({ ...rules, onRefused: createReport(), onTrouble });
  // Socket paths have a short length limit; the path of a run folder may exceed it.
  const here = process.cwd();
  process.chdir(folder);
  rmSync(PROXY_SOCKET, { force: true });
  await new Promise<void>((resolve) => server.listen(PROXY_SOCKET, resolve));
  process.chdir(here);
  limit.follow(enforce);
  // The program's run must not end with a connection of the proxy.
  process.on("uncaughtException", (error) => onTrouble(error.message));
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`ao: ${program} did not start: ${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}

/** Reports each refused host once: in the agent's output and to the daemon. */
function createReport(): (host: string, reason: string) => void {
  const reported = new Set<string>();
  return (host, reason) => {
    if (reported.has(host) || reported.size >= MAX_REPORTS) return;
    reported.add(host);
    process.stderr.write(`ao: refused: ${host} ${reason}\n`);
    if (!process.stdout.isTTY) process.stdout.write(encodeSignal({ kind: "refused", host }));
  };
}

/** Names each connection that ended with an error, once, in the agent's output. */
function createTroubleReport(): (text: string) => void {
  const reported = new Set<string>();
  return (text) => {
    if (reported.has(text) || reported.size >= MAX_TROUBLES) return;
    reported.add(text);
    process.stderr.write(`ao: proxy: ${text}\n`);
  };
}
