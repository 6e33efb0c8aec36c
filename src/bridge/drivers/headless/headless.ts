import type { Capabilities, CreateDriver, Driver, DriverSetup, Prompt, Recall } from "../../driver.ts";
import { type Child, type ChildEnd, startChild } from "../../kit/child.ts";
import { endLeftovers, MARK } from "../../leftovers.ts";
import type { CreateDialect, Dialect, Launch, Run } from "./dialect.ts";

const CAPABILITIES: Capabilities = {
  midTurn: false,
  resume: true,
  continues: false,
  permissions: false,
  usage: true,
  brief: false,
  reasons: false,
};
const GRACE_MS = 5000;
const BEGIN_LIMIT_MS = 120_000;
const LOOK_MS = 50;

/** A program that runs once for each turn and knows its conversation by an id; the dialect says how. */
export function createHeadlessDriver(createDialect: CreateDialect): CreateDriver {
  return (setup) => makeDriver(setup, createDialect(setup));
}

function makeDriver(setup: DriverSetup, dialect: Dialect): Driver {
  const { report } = setup;
  let conversation = "";
  let running: Child | null = null;
  let isClosing = false;
  let isInterrupted = false;

  const start = ({ args, env, input }: Launch, onLine: (line: string) => void): Child => {
    const [program = "", ...leading] = dialect.command;
    running = startChild({ program, args: [...leading, ...args], cwd: setup.cwd, env, input, onLine });
    return running;
  };

  const run: Run = async (launch) => {
    const lines: string[] = [];
    const child = start(launch, (line) => lines.push(line));
    const timer = setTimeout(() => void child.end(GRACE_MS), BEGIN_LIMIT_MS);
    const end = await child.ended;
    clearTimeout(timer);
    running = null;
    return { lines, end };
  };

  const runTurn = async (prompt: Prompt): Promise<void> => {
    const receipt = createReceipt(dialect, prompt.id, report.accepted);
    const listener = dialect.listen({ ...report, accepted: receipt.accept });
    isInterrupted = false;
    const child = start(dialect.launch(conversation, prompt), (line) => {
      if (!isInterrupted) listener.line(line);
    });
    const end = await child.ended;
    running = null;
    receipt.close();
    dialect.tidy?.();
    if (isClosing) return;
    if (isInterrupted && end.code !== 0) {
      // What its tools started does not end with it.
      await endLeftovers(setup.env[MARK] ?? "");
      report.ended({ kind: "interrupted" });
    } else if (child.pid === undefined) report.ended({ kind: "failed", reason: describeEnd(dialect, end) });
    else if (wasKilled(end)) report.gone(describeEnd(dialect, end));
    else report.ended(listener.end(end));
  };

  return {
    capabilities: CAPABILITIES,
    open: async (known) => {
      dialect.tidy?.();
      conversation = known ?? (await dialect.begin(run));
      report.conversation(conversation);
    },
    recall: async (promptId) => toRecall(dialect.hasTaken?.(promptId) ?? null),
    prompt: (prompt) => void runTurn(prompt).catch((error) => report.gone(`The bridge failed: ${String(error)}`)),
    answer: () => undefined,
    interrupt: () => {
      if (running === null) return;
      isInterrupted = true;
      void running.end(GRACE_MS);
    },
    close: async () => {
      isClosing = true;
      await running?.end(GRACE_MS);
    },
  };
}

interface Receipt {
  accept(): void;
  close(): void;
}

/** Tells once that the program has the prompt: by its word, or as soon as its records have it. */
function createReceipt(dialect: Dialect, promptId: string, onAccepted: (promptId: string) => void): Receipt {
  let isAccepted = false;
  const accept = (): void => {
    clearInterval(timer);
    if (!isAccepted) onAccepted(promptId);
    isAccepted = true;
  };
  const look = (): void => {
    if (!isAccepted && dialect.hasTaken?.(promptId) === true) accept();
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    accept,
    close: () => {
      look();
      clearInterval(timer);
    },
  };
}

function toRecall(isTaken: boolean | null): Recall {
  if (isTaken === null) return { kind: "unknown" };
  return isTaken ? { kind: "taken", answer: null } : { kind: "absent" };
}

// Behind a shell a signal becomes an exit code.
function wasKilled({ code }: ChildEnd): boolean {
  return code === null || code > 128;
}

function describeEnd({ title, command }: Dialect, { how, stderr }: ChildEnd): string {
  const last = stderr.split("\n").at(-1) ?? "";
  return `${title} (${command[0]}) is gone: ${how}${last === "" ? "" : `: ${last}`}`;
}
