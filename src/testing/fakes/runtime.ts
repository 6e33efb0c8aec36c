import { join } from "node:path";
import { AoError } from "../../core/errors.ts";
import type { RunRef, RunSpec, Runtime, StartAnswer, TerminalControl, TypingGuard } from "../../ports/runtime.ts";
import type { FakeMachine } from "./host.ts";
import { runTinyShell } from "./tiny-shell.ts";

/** A program's view of its own process. */
export interface FakeProcess {
  readonly spec: RunSpec;
  readonly pid: number;
  print(text: string): void;
  complain(text: string): void;
  exit(code: number): void;
  /** Calls back for every complete input line, including earlier ones; for a terminal, every typed line. */
  onLine(listener: (line: string) => void): void;
  /** What to do on TERM; without it the process ends with 143. */
  onTerm(listener: () => void): void;
}

export type FakeProgram = (process: FakeProcess) => void;

export interface RuntimeWorld {
  readonly runtime: Runtime;
  /** Programs by the first word of their arguments; `sh`, `sleep` and `true` are included. */
  readonly programs: Map<string, FakeProgram>;
  /** Every start of a program, in order. */
  readonly starts: RunSpec[];
  /** What was typed into terminals. */
  readonly typed: string[];
  /** The typing guard's answer. */
  guard: TypingGuard;
  /** Kills a run and the process that would have recorded how it ended. */
  vanish(ref: Pick<RunRef, "runDir">): void;
}

interface Running {
  readonly spec: RunSpec;
  readonly pid: number;
  state: "alive" | "exited" | "gone";
  code: number;
  readonly end: (code: number | null) => void;
  readonly term: () => void;
  readonly feed: (text: string) => void;
  readonly ended: Promise<void>;
}

/** Runs programs that are functions. Its processes live in the machine, so they survive the daemon. */
export function createFakeRuntime(machine: FakeMachine, mode: "pipes" | "terminal" = "pipes"): RuntimeWorld {
  const { host } = machine;
  const { fs, clock } = host;
  const running = new Map<string, Running>();
  const shell = createShell(machine);
  const terminal: TerminalControl = {
    shownFile: async ({ runDir }) => join(runDir, "out"),
    connect: () => Promise.reject(new Error("nobody looks at the terminals of this machine")),
    guard: async () => world.guard,
    type: async ({ runDir }, text) => {
      world.typed.push(text);
      running.get(runDir)?.feed(`${text}\n`);
    },
    attachCommand: ({ runDir }) => ({ program: "attach", args: [runDir] }),
    capture: async ({ runDir }) => (await fs.readText(join(runDir, "out"))) ?? "",
  };
  const launch = (spec: RunSpec): Running => {
    world.starts.push(spec);
    const run = createProcess(machine, spec);
    running.set(spec.runDir, run.running);
    const program = world.programs.get(spec.argv[0] ?? "");
    if (program === undefined) run.running.end(127);
    else program(run.process);
    return run.running;
  };
  const answer = ({ state, pid, code }: Running): StartAnswer => {
    if (state === "alive") return { kind: "started", pid };
    if (state === "exited") return { kind: "exited", code };
    throw new AoError({ code: "plugin-failed", message: "The process could not be started: it is gone." });
  };
  const world: RuntimeWorld = {
    programs: new Map([
      ["sh", shell],
      ["sleep", shell],
      ["true", shell],
    ]),
    starts: [],
    typed: [],
    guard: { kind: "free" },
    vanish: ({ runDir }) => running.get(runDir)?.end(null),
    runtime: {
      modes: [mode],
      start: async (spec) => {
        await fs.makeDir(spec.runDir);
        const inbox = join(spec.runDir, "in");
        if ((await fs.stat(inbox)) === null) await fs.writeText(inbox, spec.initialInput);
        const isFirst = await fs.makeDir(join(spec.runDir, "lock"), { exclusive: true });
        const run = isFirst ? launch(spec) : running.get(spec.runDir);
        if (run !== undefined) return answer(run);
        throw new AoError({ code: "plugin-failed", message: "The run was locked and never started." });
      },
      probe: async ({ runDir }) => {
        const run = running.get(runDir);
        if (run === undefined) return { kind: "gone", evidence: "it was never started" };
        if (run.state === "alive") return { kind: "alive", pid: run.pid };
        if (run.state === "exited") return { kind: "exited", code: run.code };
        return { kind: "gone", evidence: "its process is gone without a recorded exit" };
      },
      end: async ({ runDir }, graceMs) => {
        const run = running.get(runDir);
        if (run === undefined || run.state !== "alive") return;
        const cancel = clock.after(graceMs, () => run.end(137));
        run.term();
        await run.ended;
        cancel();
      },
      ...(mode === "terminal" ? { terminal } : {}),
    },
  };
  return world;
}

function createProcess(
  { host, table }: FakeMachine,
  spec: RunSpec,
): { readonly process: FakeProcess; readonly running: Running } {
  const { fs } = host;
  const listeners: ((line: string) => void)[] = [];
  let onTerm = (): void => running.end(143);
  let finish = (): void => undefined;
  let fed = "";
  let read = 0;
  const feed = (text: string): void => {
    const lines = (fed + text).split("\n");
    fed = lines.pop() ?? "";
    for (const line of lines) for (const listener of listeners) listener(line);
  };
  const follow = async (): Promise<void> => {
    const bytes = (await fs.readBytes(join(spec.runDir, "in"), read, Number.MAX_SAFE_INTEGER)) ?? new Uint8Array();
    read += bytes.length;
    if (bytes.length > 0 && running.state === "alive") feed(new TextDecoder().decode(bytes));
  };
  const append = (name: string, text: string): void => {
    if (running.state === "alive") void fs.append(join(spec.runDir, name), new TextEncoder().encode(text));
  };
  const identity = table.add(spec.intentId, (signal) => {
    if (signal === "SIGKILL") running.end(137);
    else running.term();
  });
  const unwatch = fs.watch(spec.runDir, () => void follow());
  const running: Running = {
    spec,
    pid: identity.pid,
    state: "alive",
    code: 0,
    feed,
    term: () => onTerm(),
    ended: new Promise((resolve) => {
      finish = resolve;
    }),
    end: (code) => {
      if (running.state !== "alive") return;
      running.state = code === null ? "gone" : "exited";
      running.code = code ?? 0;
      unwatch();
      table.remove(identity.pid);
      void fs.writeText(join(spec.runDir, code === null ? "vanished" : "exit"), String(code ?? ""));
      finish();
    },
  };
  const process: FakeProcess = {
    spec,
    pid: identity.pid,
    print: (text) => append("out", text),
    complain: (text) => append("err", text),
    exit: (code) => running.end(code),
    onLine: (listener) => {
      listeners.push(listener);
      void follow();
    },
    onTerm: (listener) => {
      onTerm = listener;
    },
  };
  return { process, running };
}

/** `sh -c`, `sleep` and `true`, as far as the tiny shell supports them. */
function createShell({ host }: FakeMachine): FakeProgram {
  return ({ spec, print, complain, exit }) => {
    const [name = "", ...args] = spec.argv;
    const script = name === "sh" ? (args[1] ?? "") : spec.argv.join(" ");
    const shell = {
      fs: host.fs,
      cwd: spec.cwd,
      env: spec.env,
      args: args.slice(2),
      print,
      complain,
      sleep: (ms: number) => new Promise<void>((resolve) => host.clock.after(ms, resolve)),
      kill: () => exit(137),
    };
    void runTinyShell(script, shell).then(exit);
  };
}
