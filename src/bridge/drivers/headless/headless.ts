import {
  type Capabilities,
  type CreateDriver,
  type Driver,
  type DriverSetup,
  NO_CAPABILITIES,
  type Prompt,
  type Recall,
} from "../../driver.ts";
import { type Child, startChild } from "../../kit/child.ts";
import { type ReducerLoop, runReducer } from "../../kit/reducer.ts";
import { endLeftovers, MARK } from "../../leftovers.ts";
import type { CreateDialect, Dialect, Launch, Run } from "./dialect.ts";
import {
  createHeadlessReducer,
  type HeadlessNotice,
  type HeadlessRequest,
  type HeadlessState,
  NO_TURN,
} from "./reduce.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, resume: true };
const GRACE_MS = 5000;
const BEGIN_LIMIT_MS = 120_000;
const POLL_MS = 50;

/** The shell's resources: the program while it runs. */
interface Shell<Output> {
  readonly setup: DriverSetup;
  readonly dialect: Dialect<Output>;
  readonly loop: ReducerLoop<HeadlessState<Output>, HeadlessNotice>;
  conversation: string;
  running: Child | null;
}

/**
 * Drives a program that runs once per turn and identifies its conversation by an id; the dialect defines the details.
 */
export function createHeadlessDriver<Output>(createDialect: CreateDialect<Output>): CreateDriver {
  return (setup) => toDriver(createShell(setup, createDialect(setup)));
}

function createShell<Output>(setup: DriverSetup, dialect: Dialect<Output>): Shell<Output> {
  const loop = runReducer<HeadlessState<Output>, HeadlessNotice, HeadlessRequest>({
    initial: NO_TURN,
    reduce: createHeadlessReducer(dialect),
    report: setup.report,
    perform: (request) => perform(shell, request),
  });
  const shell: Shell<Output> = { setup, dialect, loop, conversation: "", running: null };
  return shell;
}

function toDriver<Output>(shell: Shell<Output>): Driver {
  const { dialect, loop, setup } = shell;
  return {
    capabilities: CAPABILITIES,
    open: async (known) => {
      dialect.tidy?.();
      shell.conversation = known ?? (await dialect.begin(runBeside(shell)));
      setup.report.conversation(shell.conversation);
    },
    recall: async (promptId) => toRecall(dialect.hasTaken?.(promptId) ?? null),
    prompt: (prompt) => loop.dispatch({ kind: "prompt", prompt }),
    answer: () => undefined,
    interrupt: () => loop.dispatch({ kind: "interrupt" }),
    close: async () => {
      loop.dispatch({ kind: "close" });
      await shell.running?.ended;
    },
  };
}

function perform<Output>(shell: Shell<Output>, request: HeadlessRequest): void {
  const { setup, loop } = shell;
  const fail = (error: unknown): void => setup.report.gone(`The bridge failed: ${String(error)}`);
  switch (request.kind) {
    case "start":
      runTurn(shell, request.prompt).catch(fail);
      break;
    case "stop":
      void shell.running?.end(GRACE_MS);
      break;
    case "end-leftovers":
      endLeftovers(setup.env[MARK] ?? "").then(() => loop.dispatch({ kind: "leftovers-ended" }), fail);
      break;
  }
}

async function runTurn<Output>(shell: Shell<Output>, prompt: Prompt): Promise<void> {
  const { dialect, loop } = shell;
  const launch = dialect.launch(shell.conversation, prompt);
  const child = start(shell, launch, (text) => loop.dispatch({ kind: "line", text, now: new Date() }));
  const checkRecords = (): void => {
    if (dialect.hasTaken?.(prompt.id) === true) loop.dispatch({ kind: "recorded" });
  };
  const timer = setInterval(checkRecords, POLL_MS);
  const end = await child.ended;
  clearInterval(timer);
  shell.running = null;
  checkRecords();
  dialect.tidy?.();
  loop.dispatch({ kind: "exited", end, wasStarted: child.pid !== undefined, now: new Date() });
}

function runBeside<Output>(shell: Shell<Output>): Run {
  return async (launch) => {
    const lines: string[] = [];
    const child = start(shell, launch, (line) => lines.push(line));
    const timer = setTimeout(() => void child.end(GRACE_MS), BEGIN_LIMIT_MS);
    const end = await child.ended;
    clearTimeout(timer);
    shell.running = null;
    return { lines, end };
  };
}

function start<Output>(shell: Shell<Output>, { args, env, input }: Launch, onLine: (line: string) => void): Child {
  const [program = "", ...leading] = shell.dialect.command;
  const child = startChild({ program, args: [...leading, ...args], cwd: shell.setup.cwd, env, input, onLine });
  shell.running = child;
  return child;
}

function toRecall(isTaken: boolean | null): Recall {
  if (isTaken === null) return { kind: "unknown" };
  return isTaken ? { kind: "taken", answer: null } : { kind: "absent" };
}
