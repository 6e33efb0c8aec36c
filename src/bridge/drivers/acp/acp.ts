import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Capabilities, type Driver, type DriverSetup, NO_CAPABILITIES } from "../../driver.ts";
import { type Child, type ChildEnd, startChild } from "../../kit/child.ts";
import { type History, openHistory } from "../../kit/history.ts";
import { type ReducerLoop, runReducer } from "../../kit/reducer.ts";
import { type Asked, CLOSED, createRpc, type Rpc, RpcError } from "../../kit/rpc.ts";
import { withDefaults } from "./defaults.ts";
import { applyChoices, type HandshakeOptions, shakeHands } from "./handshake.ts";
import { createAcpReducer } from "./reduce.ts";
import { parseSettings, type Settings } from "./settings.ts";
import { type AcpNotice, type AcpRequest, type AcpState, initialState } from "./state.ts";
import { readMeter } from "./usage.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, resume: true };
const GRACE_MS = 5000;
/** After this long without an update, a replay is over. */
const REPLAY_QUIET_MS = 2000;

type Loop = ReducerLoop<AcpState, AcpNotice>;

/** Drives any agent that speaks the Agent Client Protocol: JSON-RPC lines both ways, one process for all turns. */
export function createAcpDriver(setup: DriverSetup): Driver {
  const { report, notes, cwd } = setup;
  const settings = parseSettings(setup.settings);
  const history = openHistory(join(setup.folder, "prompts.jsonl"));
  const connection = createConnection(setup, settings, {
    onNotice: (method, params) => loop.dispatch({ kind: "notified", method, params }),
    onAsked: ({ id: requestId, method, params }) =>
      loop.dispatch({ kind: "asked", requestId, questionId: randomUUID(), method, params }),
    onGone: (reason) => (loop.state().isOpen ? report.gone(reason) : undefined),
  });
  const loop: Loop = runReducer<AcpState, AcpNotice, AcpRequest>({
    initial: initialState(readMeter(settings, notes)),
    reduce: createAcpReducer({ settings, place: { cwd, home: setup.env["HOME"] ?? "" } }),
    report,
    perform: (request) => {
      if (request.kind === "note") notes.set(request.name, request.value);
      else if (request.kind === "replayed") history.addReplayed(request.text);
      else if (request.kind === "prompt") sendPrompt(request, { connection, history, loop });
      else if (request.kind === "cancel")
        connection.rpc.notify("session/cancel", { sessionId: loop.state().sessionId });
      else connection.reply(request);
    },
  });
  return {
    capabilities: CAPABILITIES,
    open: (known) => open(known, { settings, cwd, connection, history, loop }),
    recall: async (promptId) => history.recall(promptId),
    prompt: (prompt) => loop.dispatch({ kind: "prompt", prompt }),
    answer: (questionId, choice) => loop.dispatch({ kind: "answer", questionId, choice }),
    interrupt: () => loop.dispatch({ kind: "interrupt" }),
    close: connection.close,
  };
}

interface Parts {
  readonly connection: Connection;
  readonly history: History;
  readonly loop: Loop;
}

async function open(
  known: string | null,
  parts: Parts & { readonly settings: Settings; readonly cwd: string },
): Promise<void> {
  const { connection, history, loop, settings, cwd } = parts;
  connection.start();
  loop.dispatch({ kind: "started", known });
  const { rpc, noise } = connection;
  const options: HandshakeOptions = { rpc, settings, cwd, known, noise };
  const opened = await shakeHands(options);
  if (opened.past === "loaded") {
    if (settings.replaysLate) await connection.quiet(REPLAY_QUIET_MS);
    history.loaded();
  }
  if (opened.past === "lost") history.lost();
  loop.dispatch({ kind: "opened", opened });
  loop.dispatch({ kind: "ready", ...(await applyChoices(options, opened)) });
}

// Saved before it is sent: after a crash we must know which prompts the agent has.
function sendPrompt(
  { prompt }: Extract<AcpRequest, { readonly kind: "prompt" }>,
  { connection, history, loop }: Parts,
): void {
  const text = history.compose(prompt);
  history.add(prompt);
  const { sessionId } = loop.state();
  connection.rpc.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }).then(
    (answer) => loop.dispatch({ kind: "answered", answer, now: new Date() }),
    (error: unknown) => {
      // The end of the process is reported separately, and the turn continues in the next one.
      if (!(error instanceof RpcError) || error.code === CLOSED) return;
      loop.dispatch({ kind: "refused", error, now: new Date() });
    },
  );
}

/** The program and our end of the protocol. */
interface Connection {
  readonly rpc: Rpc;
  start(): void;
  /** Answers a request of the agent, once. */
  reply(answer: Extract<AcpRequest, { readonly kind: "respond" | "refuse" }>): void;
  /** The latest non-protocol output of the program. */
  noise(): string;
  /** Resolves when the program has sent no notification for this long. */
  quiet(ms: number): Promise<void>;
  close(): Promise<void>;
}

interface Heard {
  onNotice(method: string, params: unknown): void;
  onAsked(asked: Asked): void;
  onGone(reason: string): void;
}

function createConnection(setup: DriverSetup, settings: Settings, heard: Heard): Connection {
  const { cwd } = setup;
  const waiting = new Map<string | number, Asked>();
  let child: Child | null = null;
  let isClosing = false;
  let noise = "";
  let noticedAt = 0;
  const rpc = createRpc({
    send: (line) => child?.send(line),
    onNotice: (method, params) => {
      noticedAt = Date.now();
      heard.onNotice(method, params);
    },
    onAsked: (asked) => {
      waiting.set(asked.id, asked);
      heard.onAsked(asked);
    },
  });
  const onLine = (line: string): void => {
    if (!rpc.take(line) && line.trim() !== "") noise = line.trim().slice(0, 200);
  };
  const onEnd = (end: ChildEnd): void => {
    const reason = describeEnd(end, settings, noise);
    rpc.close(reason);
    if (!isClosing) heard.onGone(reason);
  };
  return {
    rpc,
    start: () => {
      const [program = "", ...args] = settings.command;
      const env = withDefaults(setup, settings);
      child = startChild({ program, args, cwd, env, onLine });
      void child.ended.then(onEnd);
    },
    reply: (answer) => {
      const asked = waiting.get(answer.requestId);
      waiting.delete(answer.requestId);
      if (answer.kind === "respond") asked?.respond(answer.result);
      else asked?.refuse(answer.code, answer.message);
    },
    noise: () => noise,
    quiet: async (ms) => {
      const since = Date.now();
      const left = (): number => Math.max(since, noticedAt) + ms - Date.now();
      while (left() > 0) await pause(left());
    },
    close: async () => {
      isClosing = true;
      await child?.end(GRACE_MS);
    },
  };
}

function describeEnd(end: ChildEnd, { name, command }: Settings, noise: string): string {
  const last = end.stderr.split("\n").at(-1) || noise;
  return `${name} (${command[0]}) is gone: ${end.how}${last === "" ? "" : `: ${last}`}`;
}
