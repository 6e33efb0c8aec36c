import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { encodeMessage } from "../../../src/core/lines-protocol.ts";
import { createNodeHost } from "../../../src/platform/host.ts";
import { createSilentLog } from "../../../src/platform/log.ts";
import { chooseSocket, exactTarget, nameTmuxSession } from "../../../src/plugins/runtime/tmux/names.ts";
import { tmux } from "../../../src/plugins/runtime/tmux/tmux.ts";
import type { RunSpec } from "../../../src/ports/runtime.ts";
import { until } from "../../support/until.ts";
import { type BridgeEnd, bridgeCommand, cleanEnvironment, type Place, type RunningBridge } from "./bridge.ts";
import { createTranscript } from "./transcript.ts";

/** A bridge in a terminal, and what a person does there. */
export interface TerminalBridge extends RunningBridge {
  /** Presses keys by tmux's names for them. */
  press(...keys: readonly string[]): void;
  /** Types text, without Enter. */
  type(text: string): void;
  /** What a person sees. */
  screen(): string;
  /** Attaches a person at a terminal of another tmux. */
  attach(): Promise<Person>;
  /** Closes the terminal. */
  closeTerminal(): void;
  /** Its process; the bridge's own. */
  pid(): number;
}

export interface Person {
  press(...keys: readonly string[]): void;
}

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

const EVERY_MS = 20;
const GRACE_MS = 10_000;

/** Starts the bridge in a terminal of the runtime tmux, as `startBridge` does with pipes. */
export function startTerminalBridge(
  place: Place,
  driver: string,
  settings: unknown,
  env: Readonly<Record<string, string>> = {},
  timing: { readonly quietMs?: number } = {},
): TerminalBridge {
  const home = join(place.home, "../ao");
  mkdirSync(home, { recursive: true });
  const host = createNodeHost({ log: createSilentLog() });
  const runtime = tmux.create(tmux.config.parse(timing), host, { home, projectPath: place.repo });
  const { path: socket } = chooseSocket(home);
  const spec = composeRun(place, home, bridgeCommand(driver, settings), env);
  const target = exactTarget(nameTmuxSession(spec));
  const run = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-u", "-S", socket, ...args], { encoding: "utf8", stdio: "pipe" });
  onTestFinished(async () => {
    await runtime.end(spec, 0);
    spawnSync("tmux", ["-S", socket, "kill-server"]);
  });
  const { transcript, take, finish } = createTranscript();
  let read = 0;
  const readMore = (): void => {
    const bytes = existsSync(join(spec.runDir, "out")) ? readFileSync(join(spec.runDir, "out")) : Buffer.alloc(0);
    const end = bytes.lastIndexOf("\n") + 1;
    if (end > read) take(bytes.subarray(read, end).toString("utf8"));
    read = Math.max(read, end);
  };
  const started = runtime.start(spec);
  const watch = async (): Promise<BridgeEnd> => {
    await started;
    for (;;) {
      const probe = await runtime.probe(spec);
      readMore();
      if (probe.kind === "exited" || probe.kind === "gone") {
        const stderr = probe.kind === "gone" ? probe.evidence : "";
        finish(stderr);
        return { code: probe.kind === "exited" ? probe.code : null, stderr };
      }
      await pause(EVERY_MS);
    }
  };
  const over = watch();
  over.catch((error: unknown) => finish(String(error)));
  const send = (text: string): void => void started.then(() => appendFileSync(join(spec.runDir, "in"), text));
  const pid = (): number => Number(readFileSync(join(spec.runDir, "pid"), "utf8"));
  return {
    ...transcript,
    over,
    send: (message) => send(encodeMessage({ text: "", attempt: 1, ...message })),
    sendLine: (line) => send(`${line}\n`),
    kill: async (signal) => {
      process.kill(pid(), signal);
      await over;
    },
    end: async () => {
      await started;
      await runtime.end(spec, GRACE_MS);
      return over;
    },
    press: (...keys) => void run("send-keys", "-t", target, ...keys),
    type: (text) => void run("send-keys", "-l", "-t", target, text),
    screen: () => run("capture-pane", "-p", "-t", target),
    attach: () => sitDown(join(home, "desk.sock"), socket, target),
    closeTerminal: () => void run("kill-session", "-t", target),
    pid,
  };
}

/** A dialog that just opened may miss a key, and a person presses it again. */
export async function pressUntilHeard(
  bridge: TerminalBridge,
  key: string,
  said: Readonly<Record<string, string>>,
): Promise<void> {
  const isHeard = (): boolean =>
    bridge.said().some((line) => Object.entries(said).every(([name, value]) => line[name] === value));
  for (let press = 0; press < 3 && !isHeard(); press += 1) {
    bridge.press(key);
    await until("the key to be taken", isHeard, 5000).catch(() => undefined);
  }
  await bridge.hear(said);
}

// Each run of a place has the next number, as in a session.
function composeRun(
  place: Place,
  home: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): RunSpec {
  const folder = join(home, "sessions/web-1");
  mkdirSync(folder, { recursive: true });
  const run = readdirSync(folder).length + 1;
  const runDir = join(folder, String(run));
  mkdirSync(runDir);
  return {
    sessionId: "web-1",
    run,
    runDir,
    intentId: `${home}#${run}`,
    argv,
    cwd: place.workspace,
    env: { ...cleanEnvironment(place, env) },
    input: "inbox",
    initialInput: "",
  };
}

async function sitDown(desk: string, socket: string, target: string): Promise<Person> {
  const atDesk = (...args: readonly string[]): void =>
    void execFileSync("tmux", ["-S", desk, "-f", "/dev/null", ...args], { stdio: "pipe" });
  onTestFinished(() => void spawnSync("tmux", ["-S", desk, "kill-server"]));
  const attach = ["env", "-u", "TMUX", "-u", "TMUX_PANE", "tmux", "-u", "-S", socket, "attach", "-t", target];
  atDesk("new-session", "-d", "-x", "150", "-y", "45", ...attach);
  const created = (): number =>
    Number(execFileSync("tmux", ["-S", socket, "list-clients", "-F", "#{client_created}"], { encoding: "utf8" }));
  // tmux counts in seconds: a key in the same second as attaching does not count as typing.
  await until("the person to sit there", () => created() > 0 && Date.now() / 1000 > created() + 1.05);
  return { press: (...keys) => atDesk("send-keys", ...keys) };
}
