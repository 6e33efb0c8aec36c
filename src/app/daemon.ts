import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { AoError } from "../core/errors.ts";
import { DAEMON_RUNNING_EXIT } from "../protocol/daemon-file.ts";
import { type HomePaths, homePaths } from "../protocol/home.ts";
import { type Daemon, startDaemon } from "./start-daemon.ts";

/** The daemon's process: starts, reports a failed start to the CLI, and stops on a signal. */
async function main(): Promise<void> {
  // Without our own listener, Node opens its inspector, through which anyone on this machine's network can run code
  // here.
  process.on("SIGUSR1", () => undefined);
  collectSoon();
  const paths = homePaths({ env: process.env, userHome: homedir(), uid: process.getuid?.() ?? 0, cwd: process.cwd() });
  let daemon: Daemon;
  try {
    daemon = await startDaemon({
      paths,
      userHome: homedir(),
      env: process.env,
      version: readVersion(),
      onExit: () => process.exit(0),
    });
    rmSync(paths.startError, { force: true });
  } catch (error) {
    process.exit(reportStart(paths, error));
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => void daemon.stop(`got ${signal}`).then(() => process.exit(0)));
  }
}

// V8 would rather let a hundred megabytes of garbage lie than collect it, which is right for a server that has the machine
// to itself, and wrong for one beside twenty agents. Collecting sooner costs a few percent of the little time it takes.
function collectSoon(): void {
  for (const flag of ["--heap-growing-percent=30", "--semi-space-growth-factor=1"]) setFlagsFromString(flag);
}

/** Writes why the start failed to stderr and, unless another daemon is running, for the CLI; returns the exit code. */
function reportStart(paths: HomePaths, error: unknown): number {
  const known = error instanceof AoError ? error : null;
  const report = {
    code: known?.code ?? "internal",
    message: known?.message ?? String(error instanceof Error ? error.stack : error),
    hint: known?.hint ?? null,
    pid: process.pid,
  };
  process.stderr.write(`error: ${report.message}\n${report.hint === null ? "" : `hint: ${report.hint}\n`}`);
  if (report.code === "daemon-running") return DAEMON_RUNNING_EXIT;
  try {
    writeFileSync(paths.startError, JSON.stringify(report), { mode: 0o600 });
  } catch {
    // The folder itself is not writable; stderr has the error, and the CLI will find the same.
  }
  return 1;
}

await main();

/** The version of this package. */
function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
