import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Capabilities, type Driver, type DriverSetup, NO_CAPABILITIES, type Prompt } from "../../driver.ts";
import { type History, openHistory } from "../../kit/history.ts";
import { type ReducerLoop, runReducer } from "../../kit/reducer.ts";
import { openVendorUi, type VendorUi } from "../../kit/vendor-ui.ts";
import { type Api, createApi, wordsOf } from "./api.ts";
import { composeEnvironment } from "./environment.ts";
import { findModel, type Model, openSession, readRules } from "./handshake.ts";
import { read } from "./inspect.ts";
import { openPast, type Past } from "./past.ts";
import { reduceOpencode } from "./reduce.ts";
import { describeEnd, type Server, startServer, waitForServer } from "./server.ts";
import { parseSettings, type Settings } from "./settings.ts";
import {
  initialState,
  type OpencodeNotice,
  type OpencodeRequest,
  type OpencodeState,
  type ReadRequest,
} from "./state.ts";
import { followEvents, type Stream } from "./stream.ts";
import { readMeter, readUsage } from "./usage.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, resume: true, brief: true, reasons: true };
const GRACE_MS = 5000;
const SERVE = ["serve", "--hostname", "127.0.0.1", "--port", "0"];
/** A prompt is normally in the records within a second. */
const ACCEPT_MS = 60_000;

/** The shell's resources: the server, and how to reach it. */
interface Shell {
  readonly setup: DriverSetup;
  readonly settings: Settings;
  readonly env: DriverSetup["env"];
  readonly password: string;
  readonly history: History;
  readonly loop: ReducerLoop<OpencodeState, OpencodeNotice>;
  /** What the reducer wants to read before the next event. */
  readonly reads: ReadRequest[];
  lane: Promise<void>;
  api: Api | null;
  /** Null: the program's own choice. */
  model: Model | null;
  server: Server | null;
  stream: Stream | null;
  past: Past | null;
  /** The program's own interface, if there is a terminal for it. */
  ui: VendorUi | null;
  isOver: boolean;
}

/** OpenCode over its own server, one process for all turns; its own interface can attach to the same server. */
export function createOpencodeDriver(setup: DriverSetup): Driver {
  const shell = createShell(setup);
  const { loop, history } = shell;
  return {
    capabilities: CAPABILITIES,
    open: (known) => open(shell, known),
    recall: async (promptId) => shell.past?.recall(promptId) ?? { kind: "unknown" },
    prompt: (next) => {
      const text = history.compose(next);
      history.add(next);
      loop.dispatch({ kind: "prompt", prompt: { id: next.id, text } });
    },
    answer: (questionId, choice) => loop.dispatch({ kind: "answer", questionId, choice }),
    interrupt: () => loop.dispatch({ kind: "interrupt" }),
    close: async () => {
      shell.isOver = true;
      shell.stream?.stop();
      await shell.ui?.end(GRACE_MS);
      await shell.server?.child.end(GRACE_MS);
    },
  };
}

function createShell(setup: DriverSetup): Shell {
  const settings = parseSettings(setup.settings);
  const place = { cwd: setup.cwd, home: setup.env["HOME"] ?? "" };
  const password = randomBytes(32).toString("hex");
  const loop = runReducer({
    initial: initialState(settings, place, readMeter(setup.notes)),
    reduce: reduceOpencode,
    report: setup.report,
    perform: (request: OpencodeRequest) => perform(shell, request),
  });
  const shell: Shell = {
    ...{ setup, settings, password, loop },
    env: composeEnvironment(settings, setup.env, password),
    history: openHistory(join(setup.folder, "prompts.jsonl")),
    ...{ reads: [], lane: Promise.resolve(), isOver: false },
    ...{ api: null, model: null, server: null, stream: null, past: null, ui: null },
  };
  return shell;
}

function perform(shell: Shell, request: OpencodeRequest): void {
  switch (request.kind) {
    case "send-prompt":
      sendPrompt(shell, request.prompt, request.turn);
      break;
    case "post":
      // It may be about a question or turn that is over.
      shell.api?.post(request.path, request.body).catch(() => undefined);
      break;
    case "note":
      shell.setup.notes.set(request.name, request.value);
      break;
    default:
      shell.reads.push(request);
  }
}

// Events are handled one after another, each after all reads that an earlier one requested.
function enqueue(shell: Shell, notice: OpencodeNotice): void {
  const work = async (): Promise<void> => {
    shell.loop.dispatch(notice);
    await readAll(shell);
  };
  shell.lane = shell.lane.then(work).catch(() => lose(shell));
}

async function readAll({ api, loop, reads }: Shell): Promise<void> {
  const { sessionId } = loop.state();
  if (api === null || sessionId === null) return;
  for (let next = reads.shift(); next !== undefined; next = reads.shift()) {
    loop.dispatch(await read(api, sessionId, next));
  }
}

function sendPrompt(shell: Shell, { id, text }: Prompt, turn: number): void {
  const { api, model, setup, loop } = shell;
  const { sessionId } = loop.state();
  if (api === null) return;
  const parts = [{ type: "text", text, metadata: { ao: { prompt: id } } }];
  // The server requires the system prompt with every prompt.
  const system = setup.brief === null ? {} : { system: setup.brief.text };
  const body = { parts, ...(model === null ? {} : { model }), ...system };
  api.post(`/session/${sessionId}/prompt_async`, body).then(
    (answer) => {
      if (answer.status < 300) {
        setTimeout(() => enqueue(shell, { kind: "prompt-overdue", turn }), ACCEPT_MS).unref();
      } else {
        const reason = `OpenCode did not take the message: ${wordsOf(answer)}`;
        enqueue(shell, { kind: "prompt-refused", turn, reason });
      }
    },
    () => lose(shell),
  );
}

async function open(shell: Shell, known: string | null): Promise<void> {
  const { setup, settings, env, password } = shell;
  const [program = "", ...leading] = settings.command;
  const started = startServer({ program, args: [...leading, ...SERVE], cwd: setup.cwd, env });
  shell.server = started;
  const died = started.child.ended.then((end) => {
    leave(shell, describeEnd(program, end));
    throw new Error(describeEnd(program, end));
  });
  died.catch(() => undefined);
  const ready = async (): Promise<void> => {
    const url = await started.url;
    const api = createApi({ url, password });
    await waitForServer(url, api, () => shell.isOver);
    await begin(shell, api, known);
    if (!shell.isOver) showUi(shell, url);
  };
  await within(settings.startLimitMs, Promise.race([ready(), died]), settings.command);
}

async function begin(shell: Shell, api: Api, known: string | null): Promise<void> {
  const { settings, history, loop } = shell;
  shell.api = api;
  const own = await readRules(api);
  shell.model = settings.model === undefined ? null : await findModel(api, settings.model);
  const stream = followEvents({
    api,
    onEvent: (event) => enqueue(shell, { kind: "event", event }),
    onGap: () => enqueue(shell, { kind: "gap" }),
    onLost: () => lose(shell),
  });
  shell.stream = stream;
  await stream.connected;
  const opened = await openSession(api, known);
  if (opened.past === "lost") history.lost();
  const used = opened.past === "loaded" ? await readUsage(api, opened.sessionId) : null;
  shell.past = openPast(api, opened.sessionId);
  loop.dispatch({ kind: "opened", opened, own, used });
}

// A person uses it alongside `ao`, in the same session; it gets the password from its environment.
function showUi(shell: Shell, url: string): void {
  const { setup, settings, env, loop } = shell;
  const { screen, cwd, report } = setup;
  const [program = "", ...leading] = settings.command;
  if (screen === null) return;
  const args = [...leading, "attach", url, "--session", loop.state().sessionId ?? ""];
  const isBusy = (): boolean => loop.state().turn !== null;
  shell.ui = openVendorUi({ screen, title: "OpenCode", program, args, cwd, env, report, isBusy });
}

function lose(shell: Shell): void {
  leave(shell, `OpenCode (${shell.settings.command[0]}) no longer answers.`);
}

function leave(shell: Shell, reason: string): void {
  if (shell.isOver) return;
  shell.isOver = true;
  // Before the session is open, the failure to open it is reported instead.
  if (shell.loop.state().sessionId !== null) shell.setup.report.gone(reason);
}

async function within<T>(limitMs: number, work: Promise<T>, command: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const sentence = `OpenCode was not ready within ${Math.ceil(limitMs / 1000)} s.`;
    const doubt = `Is \`${command.join(" ")}\` OpenCode 1.18.33 or newer, and does it start when you run it?`;
    timer = setTimeout(() => reject(new Error(`${sentence} ${doubt}`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
