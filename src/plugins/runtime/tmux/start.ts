import { AoError, PluginError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import { pause, poll } from "../../../ports/poll.ts";
import type { RunSpec, StartAnswer } from "../../../ports/runtime.ts";
import type { TmuxClient } from "../../../providers/tmux/client.ts";
import type { KeyboardTiming } from "../../../providers/tmux/keyboard.ts";
import { exactTarget, nameTmuxSession, type SocketPlace } from "./names.ts";
import { probeRun, START_MS } from "./probe.ts";
import { type RunFiles, runFiles } from "./run-folder.ts";
import { canExport, formatLaunch, quote, WRAPPER } from "./wrapper.ts";

// Set before each new session, so that a server started by an older version follows too.
const OPTIONS: readonly (readonly string[])[] = [
  ["-s", "escape-time", "10"],
  ["-s", "set-clipboard", "on"],
  ["-s", "default-terminal", "screen-256color"],
  // The screen of a dead agent can still be read.
  ["-gw", "remain-on-exit", "on"],
  ["-gw", "allow-rename", "off"],
  ["-g", "history-limit", "50000"],
  ["-g", "mouse", "on"],
  // An attached person's environment never enters the sessions.
  ["-g", "update-environment", ""],
  ["-g", "status-left", " #{session_name}   detach: prefix d "],
  ["-g", "status-left-length", "80"],
  ["-g", "status-right", ""],
  ["-gw", "window-status-format", ""],
  ["-gw", "window-status-current-format", ""],
];
const ATTEMPTS = 5;

export interface StartDeps {
  readonly host: Host;
  readonly client: TmuxClient;
  readonly place: SocketPlace;
  readonly timing: KeyboardTiming;
}

/** Starts a run's program in its own tmux session, or adopts what an earlier call started. */
export async function startRun(deps: StartDeps, spec: RunSpec): Promise<StartAnswer> {
  const { host } = deps;
  await requireStartable(host, spec);
  const files = runFiles(spec.runDir);
  await host.fs.makeDir(spec.runDir, { mode: 0o700 });
  if (await host.fs.makeDir(files.lock, { exclusive: true })) await launch(deps, spec, files);
  const seen = await poll(host.clock, { everyMs: 20, timeoutMs: START_MS + 5_000 }, async () => {
    const probe = await probeRun(host, spec);
    return probe.kind === "starting" ? null : probe;
  });
  if (seen?.kind === "alive") return { kind: "started", pid: seen.pid };
  if (seen?.kind === "exited") return { kind: "exited", code: seen.code };
  throw new PluginError({
    plugin: "tmux",
    category: "unavailable",
    message: `The terminal of ${spec.sessionId} did not start: ${seen?.evidence ?? "no answer from tmux"}`,
  });
}

async function requireStartable(host: Host, spec: RunSpec): Promise<void> {
  if (spec.input === "file") {
    throw new AoError({
      code: "unsupported",
      message: "The runtime tmux runs programs in a terminal, not one process per message.",
      hint: "Use the runtime `process` for this agent, or `agentConfig.interface: terminal`.",
    });
  }
  if (spec.argv.length === 0) throw new AoError({ code: "usage", message: "There is no program to start." });
  if ((await host.fs.realPath(spec.cwd)) !== null) return;
  throw new AoError({ code: "workspace-missing", message: `The folder ${spec.cwd} is gone.` });
}

async function launch(deps: StartDeps, spec: RunSpec, files: RunFiles): Promise<void> {
  const { host, place } = deps;
  const dropped = Object.keys(spec.env).filter((name) => !canExport(name));
  if (dropped.length > 0) host.log.warn("These names cannot be exported by a shell and are left out.", { dropped });
  let hasAsked = false;
  try {
    await host.fs.writeText(files.intent, spec.intentId);
    await host.fs.writeText(files.wrap, WRAPPER);
    if (spec.input === "inbox") await host.fs.writeText(files.inbox, spec.initialInput, { mode: 0o600 });
    const env = { ...spec.env, ...screenOf(deps, spec, files), AO_INTENT: spec.intentId };
    await host.fs.writeText(files.launch, formatLaunch({ env, cwd: spec.cwd, argv: spec.argv }), { mode: 0o600 });
    await requirePrivateFolder(host, place.sharedFolder);
    hasAsked = true;
    await openSession(deps, spec, files);
  } catch (error) {
    const category = error instanceof PluginError ? error.category : null;
    // A command of tmux may fail after its server did what it asks, for example because the command itself was killed.
    if (hasAsked && category !== "config" && !(await preventRun(deps, spec, files))) return;
    await host.fs.remove(files.launch);
    // Without its lock a run counts as never started; after a timeout that is unknown, and the lock stays.
    if (category !== "unknown-outcome") await host.fs.remove(files.lock);
    throw error;
  }
}

/** Makes sure that a terminal which opens late runs nothing; false if its program runs already. */
async function preventRun({ host, client }: StartDeps, spec: RunSpec, files: RunFiles): Promise<boolean> {
  if (!(await host.fs.makeDir(files.claim, { exclusive: true }))) return false;
  await client.run(["kill-session", "-t", exactTarget(nameTmuxSession(spec))]).catch(() => undefined);
  return true;
}

// A program that speaks the `lines` protocol has its standard streams on the terminal: this is how it finds its lines.
function screenOf({ place, timing }: StartDeps, spec: RunSpec, files: RunFiles): Readonly<Record<string, string>> {
  if (spec.input !== "inbox") return {};
  const { inbox, out, screen, typing } = files;
  const target = exactTarget(nameTmuxSession(spec));
  const pane = { target, title: spec.sessionId, typing, shown: screen };
  return { AO_SCREEN: JSON.stringify({ inbox, outbox: out, socket: place.path, pane, timing }) };
}

async function openSession({ host, client }: StartDeps, spec: RunSpec, files: RunFiles): Promise<void> {
  const name = nameTmuxSession(spec);
  const command = [
    ...["start-server", ...OPTIONS.flatMap((option) => [";", "set-option", ...option])],
    ...[";", "new-session", "-d", "-s", name, "-x", "200", "-y", "50", "-e", `AO_INTENT=${spec.intentId}`],
    ...["sh", files.wrap],
    // In the same command, so that no output comes before the pipe.
    ...[
      ";",
      "pipe-pane",
      "-O",
      "-t",
      exactTarget(name),
      pipeCommand(spec.input === "inbox" ? files.screen : files.out),
    ],
  ];
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.run(command);
    if (answer.code === 0 || (await host.fs.stat(files.claim)) !== null) return;
    if (attempt === ATTEMPTS) {
      throw new PluginError({
        plugin: "tmux",
        category: "unavailable",
        message: `tmux could not open the session ${name}: ${answer.stderr.trim()}`,
      });
    }
    // A server that is just ending with its last session rejects new ones; the next one will not.
    host.log.debug("tmux refused a new session; trying again", { name, stderr: answer.stderr.trim() });
    await pause(host.clock, 50 * attempt);
  }
}

// tmux expands `#{...}` and `%H` in the command before the shell reads it.
function pipeCommand(out: string): string {
  return `umask 077; exec cat >>${quote(out)}`.replaceAll("#", "##").replaceAll("%", "%%");
}

async function requirePrivateFolder(host: Host, folder: string | null): Promise<void> {
  if (folder === null) return;
  await host.fs.makeDir(folder, { exclusive: true, mode: 0o700 });
  const found = await host.fs.stat(folder);
  const owned = await host.exec({ program: "sh", args: ["-c", '[ -O "$1" ]', "sh", folder], okCodes: [0, 1] });
  if (found?.kind === "directory" && (found.mode & 0o077) === 0 && owned.code === 0) return;
  throw new PluginError({
    plugin: "tmux",
    code: "forbidden",
    category: "config",
    message: `${folder} is not a private folder of this user, so tmux's socket cannot be put there.`,
    hint: "Remove it, or choose a shorter AO_HOME.",
  });
}
