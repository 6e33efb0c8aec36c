import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSystemClock } from "../../../../platform/clock.ts";
import { poll } from "../../../../ports/poll.ts";
import {
  type Capabilities,
  type Driver,
  type DriverSetup,
  NO_CAPABILITIES,
  type Recall,
  type TurnEnd,
} from "../../../driver.ts";
import { type ReducerLoop, runReducer } from "../../../kit/reducer.ts";
import type { Screen, ScreenChild } from "../../../screen.ts";
import { composeEnvironment, composeSettings, composeTerminalArguments, takesBrief } from "../arguments.ts";
import { parseSettings, type Settings } from "../settings.ts";
import { openTranscript, type Transcript } from "../transcript.ts";
import { LAST_REPORTED } from "../usage.ts";
import { type HookFolder, openHookFolder } from "./hook-folder.ts";
import { composeHooks, HOOK_SCRIPT, parseHookEvent } from "./hooks.ts";
import { readOwnStatus } from "./own-status.ts";
import { reduceTerminal } from "./reduce.ts";
import { readInquiry } from "./requests.ts";
import {
  initialState,
  type TerminalNotice,
  type TerminalRequest,
  type TerminalState,
  type TypedPrompt,
} from "./state.ts";
import { clearInput, pressEscape, type TypistOptions, typePrompt } from "./typist.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, resume: true, brief: true, reasons: true };
const GRACE_MS = 5000;
/** A program that has not started by then is showing a question of its own. */
const START_MS = 20_000;
const STATUS_MS = 300;
/** The program writes about a turn at most this long after it reports the turn, or never. */
const SAVED = { everyMs: 25, timeoutMs: 3000 };
const clock = createSystemClock();

/** The shell's resources: the terminal, the program in it, and the files that it writes. */
interface Shell {
  readonly setup: DriverSetup;
  readonly screen: Screen;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hooks: HookFolder;
  readonly loop: ReducerLoop<TerminalState, TerminalNotice>;
  child: ScreenChild | null;
  transcript: Transcript;
  /** Tasks that wait for the transcript, in the order of events: a short turn is over before its prompt is found. */
  saving: Promise<void>;
  onBegun(): void;
}

/** Claude Code in a terminal: people use its own interface, prompts are typed, and hooks report what it does. */
export function createClaudeTerminal(setup: DriverSetup, screen: Screen): Driver {
  const shell = createShell(setup, screen);
  const { loop, hooks, settings } = shell;
  return {
    capabilities: { ...CAPABILITIES, brief: takesBrief(settings) },
    open: (known) => open(shell, known),
    recall: async (promptId) => recall(shell, promptId),
    prompt: (prompt) => loop.dispatch({ kind: "prompt", prompt }),
    answer: (questionId, choice) => loop.dispatch({ kind: "answer", questionId, choice }),
    interrupt: () => loop.dispatch({ kind: "interrupt" }),
    close: async () => {
      loop.dispatch({ kind: "close" });
      hooks.stop();
      await shell.child?.end(GRACE_MS);
    },
  };
}

function createShell(setup: DriverSetup, screen: Screen): Shell {
  const env = composeEnvironment(setup.env);
  const shell: Shell = {
    ...{ setup, screen, env, settings: parseSettings(setup.settings) },
    hooks: openHookFolder(join(setup.folder, "events")),
    loop: runReducer<TerminalState, TerminalNotice, TerminalRequest>({
      initial: initialState(setup.notes),
      reduce: reduceTerminal,
      report: setup.report,
      perform: (request) => perform(shell, request),
    }),
    ...{ child: null, saving: Promise.resolve(), onBegun: () => undefined },
    transcript: openTranscript("", env),
  };
  return shell;
}

function perform(shell: Shell, request: TerminalRequest): void {
  switch (request.kind) {
    case "follow":
      shell.transcript = openTranscript(request.conversation, shell.env);
      // What it already contains is not news.
      shell.transcript.news();
      if (request.isSwitch) skipUsage(shell);
      break;
    case "begun":
      shell.onBegun();
      break;
    case "type":
      typePrompt(typistOf(shell), request.prompt).catch((error: unknown) => fail(shell, error));
      break;
    case "find-prompt":
      afterSaving(shell, () => findPrompt(shell, request.typed));
      break;
    case "save-turn":
      afterSaving(shell, () => saveTurn(shell, request.how));
      break;
    case "press-escape":
      void pressEscape(shell.screen, () => isOver(shell, request.since)).catch(() => undefined);
      break;
    case "clear-input":
      void clearInput(shell.screen, shell.loop.state().typed?.text ?? "")
        .catch(() => undefined)
        .then(() => shell.loop.dispatch({ kind: "input-cleared", since: request.since }));
      break;
    case "release":
      void shell.hooks.release(request.n, request.answer);
      break;
    case "note":
      shell.setup.notes.set(request.name, request.value);
      break;
  }
}

async function open(shell: Shell, known: string | null): Promise<void> {
  const { setup, screen, settings, env, hooks, loop } = shell;
  const conversation = known ?? randomUUID();
  loop.dispatch({ kind: "opened", conversation });
  const isKnown = shell.transcript.exists();
  if (isKnown) loop.dispatch({ kind: "used-before", ...readUsage(shell) });
  const settingsFile = prepare(shell);
  hooks.start((n, text) => takeHook(shell, n, text));
  const begun = new Promise<"begun">((resolve) => {
    shell.onBegun = () => resolve("begun");
  });
  const start = { conversation, isKnown, briefFile: setup.brief?.path ?? null };
  const [program = "", ...leading] = settings.command;
  const args = [...leading, ...composeTerminalArguments(settings, start, settingsFile)];
  const child = screen.run({ program, args, cwd: setup.cwd, env });
  shell.child = child;
  const first = await Promise.race([begun, child.ended, pause(START_MS, "late" as const, { ref: false })]);
  if (first === "late") setup.report.stuck("Claude Code shows a question of its own: answer it with `ao attach`.");
  const second = first === "late" ? await Promise.race([begun, child.ended]) : first;
  if (second !== "begun") throw new Error(`Claude Code (${program}) is gone: ${second.how}`);
  void child.ended.then((end) => loop.dispatch({ kind: "ended", ...end }));
  await screen.still();
  void watchOwnStatus(shell);
}

// Writes the script and settings of this launch to the session's own folder.
function prepare({ setup, settings, hooks }: Shell): string {
  const script = join(setup.folder, "hook.sh");
  const settingsFile = join(setup.folder, "settings.json");
  writeFileSync(script, HOOK_SCRIPT, { mode: 0o600 });
  writeFileSync(settingsFile, composeSettings(settings, composeHooks(script, hooks.path)), { mode: 0o600 });
  return settingsFile;
}

function takeHook({ setup, loop, transcript, env }: Shell, n: number, text: string): void {
  const event = parseHookEvent(text);
  const { turnSince, conversation } = loop.state();
  if (event === null) loop.dispatch({ kind: "unknown", text });
  else {
    loop.dispatch({
      ...{ kind: "hook", n, event, now: Date.now() },
      inquiry: readInquiry(event, randomUUID(), setup.cwd),
      entries: event.hook_event_name === "PreToolUse" ? transcript.news() : [],
      own: turnSince === null ? readOwnStatus(conversation, env) : null,
    });
  }
}

function typistOf(shell: Shell): TypistOptions {
  const { screen, loop } = shell;
  return {
    screen,
    isStopped: () => loop.state().isClosing,
    isBusy: () => loop.state().turnSince !== null,
    onTyping: (id, text) => loop.dispatch({ kind: "typing", id, text, from: shell.transcript.count() }),
    isTaken: (id) => loop.state().typed?.id !== id || !loop.state().isTypedAwaited,
    onHeld: (id, reason) => loop.dispatch({ kind: "held", id, reason }),
  };
}

function afterSaving(shell: Shell, work: () => Promise<void>): void {
  shell.saving = shell.saving.then(work).catch((error: unknown) => fail(shell, error));
}

function fail({ loop }: Shell, error: unknown): void {
  loop.dispatch({ kind: "failed", reason: `The terminal failed: ${String(error)}` });
}

async function findPrompt(shell: Shell, { id, text, from }: TypedPrompt): Promise<void> {
  const uuid = await poll(clock, SAVED, () => shell.transcript.findPrompt(text, from));
  shell.loop.dispatch({ kind: "prompt-found", id, uuid });
}

async function saveTurn(shell: Shell, how: TurnEnd): Promise<void> {
  if (how.kind === "finished") await poll(clock, SAVED, () => (shell.transcript.hasAnswer(how.summary) ? true : null));
  shell.loop.dispatch({ kind: "turn-saved", how, entries: shell.transcript.news(), ...readUsage(shell) });
}

function readUsage({ setup, transcript }: Shell): ReturnType<Transcript["usedAfter"]> {
  return transcript.usedAfter(setup.notes.get(LAST_REPORTED));
}

// What a conversation contains when a person switches to it was reported already, or is not of this session.
function skipUsage({ setup: { notes }, transcript }: Shell): void {
  notes.set(LAST_REPORTED, transcript.end(notes.get(LAST_REPORTED)));
}

async function watchOwnStatus(shell: Shell): Promise<void> {
  const { loop, env } = shell;
  while (!loop.state().isClosing) {
    await pause(STATUS_MS, undefined, { ref: false });
    const { turnSince, conversation } = loop.state();
    const own = turnSince === null ? null : readOwnStatus(conversation, env);
    if (own !== null) loop.dispatch({ kind: "status", own, entries: shell.transcript.news(), now: Date.now() });
  }
}

// Has the turn that started then ended, or is the program idle?
function isOver({ loop, env }: Shell, since: number): boolean {
  const { turnSince, conversation } = loop.state();
  if (turnSince !== since) return true;
  const own = readOwnStatus(conversation, env);
  return own?.status === "idle" && own.since >= since;
}

function recall({ loop, transcript }: Shell, promptId: string): Recall {
  const { typed } = loop.state();
  if (typed?.id !== promptId) return { kind: "unknown" };
  const uuid = typed.uuid ?? transcript.findPrompt(typed.text, typed.from);
  return uuid === null ? { kind: "absent" } : transcript.recall(uuid);
}
