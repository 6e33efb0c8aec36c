import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Capabilities, type Driver, type DriverSetup, NO_CAPABILITIES, type Prompt } from "../../driver.ts";
import { type History, openHistory } from "../../kit/history.ts";
import { type ReducerLoop, runReducer } from "../../kit/reducer.ts";
import { CLOSED, createRpc, type Rpc, RpcError } from "../../kit/rpc.ts";
import { openVendorUi, type VendorUi } from "../../kit/vendor-ui.ts";
import { type Connection, connectByPipes, connectBySocket } from "./connection.ts";
import { type Opened, openThread } from "./handshake.ts";
import { TurnAnswer } from "./messages.ts";
import { openPast, type Past } from "./past.ts";
import { reduceCodex } from "./reduce.ts";
import { parseSettings, type Settings } from "./settings.ts";
import { type CodexNotice, type CodexRequest, type CodexState, initialState } from "./state.ts";
import { readMeter } from "./usage.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, resume: true, brief: true };
const GRACE_MS = 5000;
/** For its interface: no question to a person before the thread is shown, and no process that stays. */
const QUIET = ["-c", "check_for_update_on_startup=false", "-c", "features.daemon_auto_start=false"];

/** The shell's resources: the program, and what is known about earlier processes. */
interface Shell {
  readonly setup: DriverSetup;
  readonly settings: Settings;
  readonly rpc: Rpc;
  readonly loop: ReducerLoop<CodexState, CodexNotice>;
  readonly history: History;
  /** Prompts sent by this process. */
  readonly given: Set<string>;
  connection: Connection | null;
  ui: VendorUi | null;
  /** The records of an earlier process, or null. */
  past: Past | null;
}

/**
 * Codex over its own protocol: `codex app-server`, JSON lines both ways, one process for all turns. In a terminal, its
 * own interface is a second client of that process, for people; prompts are never typed there.
 */
export function createCodexDriver(setup: DriverSetup): Driver {
  const shell = createShell(setup);
  const { loop, history } = shell;
  return {
    capabilities: CAPABILITIES,
    open: (known) => open(shell, known),
    recall: async (promptId) =>
      shell.past?.recall(promptId) ?? { kind: shell.given.has(promptId) ? "unknown" : "absent" },
    prompt: (next) => {
      const text = history.compose(next);
      history.add(next);
      shell.given.add(next.id);
      shell.past?.add(next.id);
      loop.dispatch({ kind: "prompt", prompt: { id: next.id, text } });
    },
    answer: (questionId, choice) => loop.dispatch({ kind: "answer", questionId, choice }),
    interrupt: () => loop.dispatch({ kind: "interrupt" }),
    close: async () => {
      loop.dispatch({ kind: "close" });
      await shell.ui?.end(GRACE_MS);
      await shell.connection?.end(GRACE_MS);
    },
  };
}

function createShell(setup: DriverSetup): Shell {
  const settings = parseSettings(setup.settings);
  const rules = { settings, cwd: setup.cwd, home: setup.env["HOME"] ?? "", isShared: setup.screen !== null };
  const rpc = createRpc({
    send: (line) => shell.connection?.send(line),
    onNotice: (method, params) => shell.loop.dispatch({ kind: "message", method, params }),
    onAsked: ({ id, method, params }) =>
      shell.loop.dispatch({ kind: "request", id, method, params, questionId: randomUUID() }),
  });
  const loop = runReducer({
    initial: initialState(rules, readMeter(setup.notes)),
    reduce: reduceCodex,
    report: setup.report,
    perform: (request: CodexRequest) => perform(shell, request),
  });
  const history = openHistory(join(setup.folder, "prompts.jsonl"));
  const shell: Shell = {
    ...{ setup, settings, rpc, loop, history },
    ...{ given: new Set(), connection: null, ui: null, past: null },
  };
  return shell;
}

function perform(shell: Shell, request: CodexRequest): void {
  switch (request.kind) {
    case "start-turn":
      void startTurn(shell, request.prompt);
      break;
    case "interrupt-turn": {
      const { threadId } = shell.loop.state();
      // The end of the turn reports the result.
      shell.rpc.request("turn/interrupt", { threadId, turnId: request.turnId }).catch(() => undefined);
      break;
    }
    case "respond":
      shell.rpc.respond(request.requestId, request.result);
      break;
    case "refuse":
      shell.rpc.refuse(request.requestId, request.code, request.message);
      break;
    case "note":
      shell.setup.notes.set(request.name, request.value);
      break;
  }
}

async function startTurn({ rpc, loop }: Shell, { id: promptId, text }: Prompt): Promise<void> {
  const input = [{ type: "text", text, text_elements: [] }];
  const { threadId } = loop.state();
  try {
    const answer = await rpc.request("turn/start", { threadId, clientUserMessageId: promptId, input });
    const turnId = TurnAnswer.safeParse(answer).data?.turn.id;
    if (turnId !== undefined) loop.dispatch({ kind: "prompt-taken", promptId, turnId });
  } catch (error) {
    // The end of the process is reported separately, and the turn continues in the next one.
    if (!(error instanceof RpcError) || error.code === CLOSED) return;
    loop.dispatch({ kind: "prompt-refused", promptId, reason: error.message });
  }
}

async function open(shell: Shell, known: string | null): Promise<void> {
  const { setup, settings, rpc, loop, history } = shell;
  const { cwd, env } = setup;
  const connection = await connect(shell);
  shell.connection = connection;
  let isOpen = false;
  void connection.ended.then((reason) => {
    rpc.close(reason);
    if (!loop.state().isClosing && isOpen) setup.report.gone(reason);
  });
  loop.dispatch({ kind: "opening", threadId: known });
  const isEnclosed = env["AO_SANDBOX"] !== undefined;
  const thread = await openThread({ rpc, settings, cwd, known, isEnclosed, brief: setup.brief?.text ?? null });
  loop.dispatch({ kind: "opened", thread });
  if (thread.past === "loaded") shell.past = openPast(rpc, thread.threadId);
  if (thread.past === "lost") history.lost();
  isOpen = true;
  await showUi(shell, thread);
}

function connect({ setup, settings, rpc }: Shell): Connection | Promise<Connection> {
  const [program = "", ...args] = settings.command;
  const { cwd, env } = setup;
  const spec = { program, args, cwd, env, onLine: (line: string) => void rpc.take(line) };
  if (setup.screen === null) return connectByPipes(spec);
  return connectBySocket(spec, { path: socketPath(setup), limitMs: settings.startLimitMs });
}

async function showUi(shell: Shell, { threadId, past }: Opened): Promise<void> {
  const { setup, settings, rpc, loop } = shell;
  const { screen, cwd, env, report } = setup;
  if (screen === null) return;
  // The interface finds only threads on disk, where a first prompt or a name puts them.
  if (past !== "loaded") await rpc.request("thread/name/set", { threadId, name: env["AO_SESSION"] ?? "ao" });
  const [program = "", ...leading] = settings.command;
  const args = [...leading, "resume", "--remote", `unix://${socketPath(setup)}`, threadId, ...QUIET];
  const isBusy = (): boolean => loop.state().turn !== null;
  shell.ui = openVendorUi({ screen, title: "Codex", program, args, cwd, env, report, isBusy });
}

function socketPath({ folder }: DriverSetup): string {
  return join(folder, "codex.sock");
}
