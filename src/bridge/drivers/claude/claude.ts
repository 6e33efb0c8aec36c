import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Capabilities, type Driver, type DriverSetup, NO_CAPABILITIES } from "../../driver.ts";
import { type Child, startChild } from "../../kit/child.ts";
import { type ReducerLoop, runReducer } from "../../kit/reducer.ts";
import { composeArguments, composeEnvironment, takesBrief } from "./arguments.ts";
import { parseLine } from "./events.ts";
import { readInquiry } from "./permission.ts";
import { GREETING, reduceClaude } from "./reduce.ts";
import { parseSettings, type Settings } from "./settings.ts";
import { type ClaudeNotice, type ClaudeRequest, type ClaudeState, initialState } from "./state.ts";
import { createClaudeTerminal } from "./terminal/terminal.ts";
import { openTranscript, type Transcript } from "./transcript.ts";
import { LAST_REPORTED } from "./usage.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, midTurn: true, resume: true, brief: true, reasons: true };
const GRACE_MS = 5000;
const OPEN_LIMIT_MS = 120_000;
const POLL_MS = 25;

/** Claude Code over its own protocol (JSON lines both ways, one process for all turns), or in a terminal. */
export function createClaudeDriver(setup: DriverSetup): Driver {
  return setup.screen === null ? createClaudeByLines(setup) : createClaudeTerminal(setup, setup.screen);
}

/** The shell's resources: the program and its transcript. */
interface Shell {
  readonly setup: DriverSetup;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly loop: ReducerLoop<ClaudeState, ClaudeNotice>;
  child: Child | null;
  conversation: string;
  transcript: Transcript;
  /** Polls the transcript for a prompt that the program has not saved yet. */
  poll: NodeJS.Timeout | null;
  onOpened(): void;
}

function createClaudeByLines(setup: DriverSetup): Driver {
  const shell = createShell(setup);
  const { loop, settings } = shell;
  return {
    capabilities: { ...CAPABILITIES, brief: takesBrief(settings) },
    open: (known) => open(shell, known),
    recall: async (promptId) => shell.transcript.recall(uuidOf(shell.conversation, promptId)),
    prompt: (prompt) => loop.dispatch({ kind: "prompt", prompt, uuid: uuidOf(shell.conversation, prompt.id) }),
    answer: (questionId, choice) => loop.dispatch({ kind: "answer", questionId, choice }),
    interrupt: () => loop.dispatch({ kind: "interrupt", requestId: randomUUID() }),
    close: async () => {
      loop.dispatch({ kind: "close" });
      pollTranscript(shell);
      await shell.child?.end(GRACE_MS);
    },
  };
}

function createShell(setup: DriverSetup): Shell {
  const env = composeEnvironment(setup.env);
  const shell: Shell = {
    setup,
    settings: parseSettings(setup.settings),
    env,
    loop: runReducer<ClaudeState, ClaudeNotice, ClaudeRequest>({
      initial: initialState(setup.notes.get(LAST_REPORTED)),
      reduce: reduceClaude,
      report: setup.report,
      perform: (request) => perform(shell, request),
    }),
    ...{ child: null, conversation: "", poll: null, onOpened: () => undefined },
    transcript: openTranscript("", env),
  };
  return shell;
}

function perform(shell: Shell, request: ClaudeRequest): void {
  switch (request.kind) {
    case "send":
      shell.child?.send(JSON.stringify(request.message));
      break;
    case "opened":
      shell.onOpened();
      break;
    case "watch-transcript":
      shell.poll ??= setInterval(() => pollTranscript(shell), POLL_MS);
      pollTranscript(shell);
      break;
    case "note":
      shell.setup.notes.set(request.name, request.value);
      break;
  }
}

function pollTranscript(shell: Shell): void {
  const { loop, transcript } = shell;
  const { awaited } = loop.state();
  if (awaited !== null) {
    loop.dispatch({ kind: "transcript-read", isSaved: transcript.has(awaited.uuid), now: Date.now() });
  } else if (shell.poll !== null) {
    clearInterval(shell.poll);
    shell.poll = null;
  }
}

async function open(shell: Shell, known: string | null): Promise<void> {
  const { setup, settings, env, loop } = shell;
  const conversation = known ?? randomUUID();
  shell.conversation = conversation;
  setup.report.conversation(conversation);
  shell.transcript = openTranscript(conversation, env);
  const isKnown = shell.transcript.exists();
  // Model calls of an interrupted turn are in no result; the program does not report their cost.
  if (isKnown) loop.dispatch({ kind: "used-before", ...shell.transcript.usedAfter(loop.state().lastMessage) });
  const args = composeArguments(settings, { conversation, isKnown, briefFile: setup.brief?.path ?? null });
  const [program = "", ...leading] = settings.command;
  const onLine = (line: string): void => takeLine(shell, line);
  const child = startChild({ program, args: [...leading, ...args], cwd: setup.cwd, env, onLine });
  shell.child = child;
  const isOpen = new Promise<"open">((resolve) => {
    shell.onOpened = () => resolve("open");
  });
  perform(shell, { kind: "send", message: GREETING_MESSAGE });
  const first = await Promise.race([isOpen, child.ended, pause(OPEN_LIMIT_MS, "late" as const, { ref: false })]);
  if (first === "late") throw new Error(`Claude Code (${program}) did not answer within ${OPEN_LIMIT_MS / 1000} s.`);
  if (first !== "open") throw new Error(describeEnd(program, first));
  void child.ended.then((end) => (loop.state().isClosing ? undefined : setup.report.gone(describeEnd(program, end))));
}

const GREETING_MESSAGE = { type: "control_request", request_id: GREETING, request: { subtype: "initialize" } };

function takeLine({ setup, loop }: Shell, text: string): void {
  const line = parseLine(text);
  if (line.kind === "unknown") loop.dispatch(line);
  if (line.kind !== "event") return;
  loop.dispatch({ ...line, inquiry: readInquiry(line.event, setup.cwd), now: Date.now() });
}

/** The same prompt of the same conversation has the same uuid in every process, and therefore in the transcript. */
function uuidOf(conversation: string, promptId: string): string {
  const hex = createHash("sha256").update(`${conversation}\n${promptId}`).digest("hex");
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function describeEnd(program: string, end: { readonly how: string; readonly stderr: string }): string {
  const last = end.stderr.split("\n").at(-1) ?? "";
  return `Claude Code (${program}) is gone: ${end.how}${last === "" ? "" : `: ${last}`}`;
}
