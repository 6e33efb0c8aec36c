import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentSignal } from "../core/agent-signal.ts";
import { commitAll, type Repository } from "./git.ts";
import { runProgram } from "./run-program.ts";
import type { Step, StepOf } from "./script.ts";

/** What a step can use. */
export interface Stage {
  readonly repository: Repository;
  readonly pace: number;
  /** The id of this step, the same each time it is attempted. */
  readonly step: string;
  /** Non-null if an earlier process started this step and perhaps finished it. */
  readonly begun: { readonly after: string | null } | null;
  /** Records that the step starts, and what the file will contain. */
  begin(after: string | null): void;
  fill(text: string): string;
  say(text: string): void;
  signal(signal: AgentSignal): void;
}

/** Steps that act on the world and then continue; the play itself handles the others. */
export type Act = Exclude<Step, { readonly kind: "ask" | "maybe" | "done" | "crash" | "hang" }>;

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Performs one step. Rejects if it fails; repeating it after a crash changes nothing twice. */
export async function act(step: Act, stage: Stage): Promise<void> {
  switch (step.kind) {
    case "say":
      return stage.say(stage.fill(step.value));
    case "note":
      return stage.signal({ kind: "status", state: "working", note: stage.fill(step.value) });
    case "status":
      return stage.signal({ kind: "status", state: step.value, note: null });
    case "usage":
      return stage.signal({ kind: "usage", ...step.value });
    case "wait":
      return void (await pause(Math.min(step.value * stage.pace, MAX_TIMER_MS)));
    case "write":
      return writeWhole(join(stage.repository.cwd, step.value.path), stage.fill(step.value.text));
    case "append":
      return edit(step.value.path, stage, (text) => `${text ?? ""}${stage.fill(step.value.text)}`);
    case "replace":
      return edit(step.value.path, stage, (text) => replaceIn(text, step.value, stage));
    case "delete":
      return rmSync(join(stage.repository.cwd, step.value), { recursive: true, force: true });
    case "run":
      for (const line of await runProgram(step.value, stage.repository.cwd)) stage.say(`| ${line}`);
      return;
    case "commit":
      return commit(step.value, stage);
  }
}

// An edit that depends on the old content would differ the second time, so its result is saved first.
function edit(name: string, stage: Stage, change: (text: string | null) => string): void {
  const path = join(stage.repository.cwd, name);
  const before = readFileText(path);
  if (stage.begun !== null && before !== null && fingerprint(before) === stage.begun.after) return;
  const after = change(before);
  stage.begin(fingerprint(after));
  writeWhole(path, after);
}

function replaceIn(text: string | null, { path, find, with: replacement }: StepOf<"replace">, stage: Stage): string {
  const wanted = stage.fill(find);
  if (text === null) throw new Error(`there is no file ${path}`);
  if (!text.includes(wanted)) throw new Error(`${path} does not contain ${JSON.stringify(wanted.slice(0, 80))}`);
  return text.split(wanted).join(stage.fill(replacement));
}

async function commit(message: string, stage: Stage): Promise<void> {
  const isRepetition = stage.begun !== null;
  stage.begin(null);
  stage.say(await commitAll(stage.repository, { message: stage.fill(message), step: stage.step, isRepetition }));
}

/** The text of a file; null if it does not exist. */
function readFileText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces a file atomically, and keeps its mode. */
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // The same name each time: the repetition overwrites what a killed process leaves, before any commit.
  const temp = join(dirname(path), `.${basename(path)}.rehearsal`);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  writeFileSync(temp, text, { mode });
  renameSync(temp, path);
}

/** A short fingerprint of a text. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
