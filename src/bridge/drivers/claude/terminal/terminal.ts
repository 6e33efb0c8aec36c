import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Capabilities, Driver, DriverSetup, Recall, TurnEnd } from "../../../driver.ts";
import type { Screen, ScreenChild } from "../../../screen.ts";
import { composeEnvironment, takesBrief } from "../arguments.ts";
import { describeTool } from "../permission.ts";
import { parseSettings } from "../settings.ts";
import { openTranscript, type Transcript } from "../transcript.ts";
import { LAST_TOLD } from "../usage.ts";
import { composeSettings, composeTerminalArguments } from "./arguments.ts";
import { type HookEvent, parseHookEvent } from "./hook-event.ts";
import { type HookFolder, openHookFolder } from "./hook-folder.ts";
import { composeHooks, HOOK_SCRIPT } from "./hook-script.ts";
import { createNarrator } from "./narrator.ts";
import { readOwnStatus } from "./own-status.ts";
import { readTyped, saveTaken, saveTyped } from "./prompt-notes.ts";
import { createRequests } from "./requests.ts";
import { readFailure } from "./turn-failure.ts";
import { createTypist, readInput } from "./typist.ts";

const CAPABILITIES: Capabilities = {
  midTurn: false,
  resume: true,
  continues: false,
  permissions: true,
  usage: true,
  brief: true,
  reasons: true,
};
const GRACE_MS = 5000;
/** A program that has not begun by then shows a question of its own. */
const START_MS = 20_000;
const LOOK_MS = 300;
const KEY_MS = 200;
const ESCAPES = 3;
const ESCAPE_MS = 2500;
/** The hook that ends a turn comes at about the time at which the program says that it is idle. */
const IDLE_MS = 1500;
/** What the program writes about a turn is there this long after it said so, or never. */
const SAVED_MS = 3000;

/** Claude Code in a terminal: its own interface for people; prompts are typed, and hooks tell what it does. */
export function createClaudeTerminal(setup: DriverSetup, screen: Screen): Driver {
  const { report, notes } = setup;
  const settings = parseSettings(setup.settings);
  const env = composeEnvironment(setup.env);
  const folder: HookFolder = openHookFolder(join(setup.folder, "events"));
  let child: ScreenChild | null = null;
  let conversation = "";
  let transcript: Transcript = openTranscript("", env);
  let isClosing = false;
  /** When the turn that runs began; null between turns. */
  let turnSince: number | null = null;
  let begun = (): void => undefined;
  const narrator = createNarrator(report);
  const requests = createRequests(report, (n, answer) => void folder.release(n, answer), setup.cwd);
  const typist = createTypist({
    screen,
    isBusy: () => turnSince !== null,
    onTyping: (id, text) => saveTyped(notes, { id, text, from: transcript.count() }),
    onHeld: report.held,
    onFailed: (error) => (isClosing ? undefined : report.gone(`The terminal failed: ${String(error)}`)),
  });

  const open = async (known: string | null): Promise<void> => {
    converse(known ?? randomUUID());
    const isKnown = transcript.exists();
    if (isKnown) tellUsage();
    const settingsFile = prepare();
    folder.start((n, text) => {
      const event = parseHookEvent(text);
      if (event !== null) hear(n, event);
    });
    const hasBegun = new Promise<"begun">((resolve) => {
      begun = () => resolve("begun");
    });
    const args = composeTerminalArguments(
      settings,
      { conversation, isKnown, briefFile: setup.brief?.path ?? null },
      settingsFile,
    );
    const [program = "", ...leading] = settings.command;
    const started = screen.run({ program, args: [...leading, ...args], cwd: setup.cwd, env });
    child = started;
    const first = await Promise.race([hasBegun, started.ended, pause(START_MS, "late" as const, { ref: false })]);
    if (first === "late") report.stuck("Claude Code shows a question of its own: answer it with `ao attach`.");
    const second = first === "late" ? await Promise.race([hasBegun, started.ended]) : first;
    if (second !== "begun") throw new Error(`Claude Code (${program}) is gone: ${second.how}`);
    void started.ended.then(afterEnd);
    await screen.still();
    void watchOwnStatus();
  };

  // The script and the settings of this launch, in the session's own folder.
  const prepare = (): string => {
    const script = join(setup.folder, "hook.sh");
    const settingsFile = join(setup.folder, "settings.json");
    writeFileSync(script, HOOK_SCRIPT, { mode: 0o600 });
    writeFileSync(settingsFile, composeSettings(settings, composeHooks(script, folder.path)), { mode: 0o600 });
    return settingsFile;
  };

  const converse = (id: string): void => {
    conversation = id;
    report.conversation(id);
    transcript = openTranscript(id, env);
    narrator.follow(transcript);
  };

  const afterEnd = ({ how, code }: { readonly how: string; readonly code: number | null }): void => {
    if (isClosing) return;
    if (code === 0) report.left("Claude Code was closed at its terminal.");
    else report.gone(`Claude Code is gone: ${how}`);
  };

  const hear = (n: number, event: HookEvent): void => {
    switch (event.hook_event_name) {
      case "SessionStart":
        // A person may begin a new conversation, or go back to another one.
        if (event.session_id !== "" && event.session_id !== conversation) converse(event.session_id);
        begun();
        break;
      case "UserPromptSubmit":
        accepting = hearPrompt(event.prompt);
        break;
      case "PreToolUse": {
        narrator.begin(event);
        work(describeTool(event.tool_name, event.tool_input).split("\n")[0]);
        break;
      }
      case "PermissionRequest":
        requests.ask(n, event);
        break;
      case "PostToolUse":
      case "PostToolUseFailure":
        requests.settle(event);
        break;
      case "Stop":
        void end({ kind: "finished", summary: event.last_assistant_message });
        break;
      case "StopFailure":
        void end(readFailure(event));
        break;
    }
  };

  const work = (note?: string): void => {
    turnSince ??= Date.now();
    report.working(note);
  };

  /** A prompt that is being looked for in the transcript. */
  let accepting: Promise<void> = Promise.resolve();

  const hearPrompt = async (text: string): Promise<void> => {
    const typed = readTyped(notes);
    const isOurs = typist.took(text) && typed !== null;
    turnSince ??= Date.now();
    requests.clear();
    if (!isOurs) {
      report.typed(text);
      return work("answering you in its terminal");
    }
    // It counts when the program has written it down: from then on it outlives the program.
    const uuid = await until(() => transcript.findPrompt(typed.text, typed.from));
    saveTaken(notes, typed.id, uuid);
    report.accepted(typed.id);
  };

  const end = async (how: TurnEnd): Promise<void> => {
    if (turnSince === null) return;
    turnSince = null;
    requests.clear();
    // A short turn is over before its prompt is found.
    await accepting;
    if (how.kind === "finished") {
      await until(() => (transcript.hasAnswer(how.summary) ? true : null));
      narrator.conclude(how.summary);
    } else narrator.catchUp();
    tellUsage();
    report.ended(how);
  };

  const tellUsage = (): void => {
    const { usages, last } = transcript.usedAfter(notes.get(LAST_TOLD));
    if (last !== null) notes.set(LAST_TOLD, last);
    for (const used of usages) report.used(used);
  };

  const watchOwnStatus = async (): Promise<void> => {
    while (!isClosing) {
      await pause(LOOK_MS, undefined, { ref: false });
      const own = turnSince === null ? null : readOwnStatus(conversation, env);
      if (own === null || turnSince === null) continue;
      narrator.catchUp();
      requests.hear(own);
      if (own.status !== "idle" || own.since < turnSince || Date.now() - own.since < IDLE_MS) continue;
      await clearInput();
      await end({ kind: "interrupted" });
    }
  };

  // A key may come while the program looks elsewhere. When it is idle, two of them would open a menu.
  const pressEscape = async (): Promise<void> => {
    const since = turnSince;
    for (let press = 0; press < ESCAPES && turnSince !== null && turnSince === since; press += 1) {
      await screen.press("Escape");
      await pause(ESCAPE_MS);
      const own = readOwnStatus(conversation, env);
      if (own?.status === "idle" && own.since >= since) return;
    }
  };

  // A turn that is interrupted before it said anything puts its prompt back into the input line.
  const clearInput = async (): Promise<void> => {
    const typed = readTyped(notes);
    const firstLine = typed?.text.split("\n")[0]?.slice(0, 40) ?? "";
    if (firstLine === "" || !readInput(await screen.capture())?.startsWith(firstLine)) return;
    if ((await screen.guard()).kind !== "free") return;
    // Together they would be one key with Alt.
    await screen.press("Escape");
    await pause(KEY_MS);
    await screen.press("Escape");
    await screen.still();
  };

  const recall = (promptId: string): Recall => {
    const typed = readTyped(notes);
    if (typed?.id !== promptId) return { kind: "unknown" };
    const uuid = typed.uuid ?? transcript.findPrompt(typed.text, typed.from);
    return uuid === null ? { kind: "absent" } : transcript.recall(uuid);
  };

  return {
    capabilities: { ...CAPABILITIES, brief: takesBrief(settings) },
    open,
    recall: async (promptId) => recall(promptId),
    prompt: typist.type,
    answer: requests.answer,
    interrupt: () => void pressEscape().catch(() => undefined),
    close: async () => {
      isClosing = true;
      typist.stop();
      folder.stop();
      await child?.end(GRACE_MS);
    },
  };
}

async function until<T>(look: () => T | null): Promise<T | null> {
  for (let waited = 0; ; waited += 25) {
    const found = look();
    if (found !== null || waited >= SAVED_MS) return found;
    await pause(25);
  }
}
