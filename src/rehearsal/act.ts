import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentSignal } from "../core/agent-signal.ts";
import { commitAll, type Repository } from "./git.ts";
import { runProgram } from "./run-program.ts";
import type { Step, StepOf } from "./script.ts";

/** What a step may use. */
export interface Stage {
  readonly repository: Repository;
  readonly pace: number;
  /** The name of this step, the same one each time it is tried. */
  readonly step: string;
  /** Not null when an earlier process began this step and perhaps finished it. */
  readonly begun: { readonly after: string | null } | null;
  /** Remembers that the step begins, and what the file will be then. */
  begin(after: string | null): void;
  fill(text: string): string;
  say(text: string): void;
  signal(signal: AgentSignal): void;
}

/** Steps that act on the world and then let the play go on; the others are the play's own. */
export type Act = Exclude<Step, { readonly kind: "ask" | "maybe" | "done" | "crash" | "hang" }>;

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Does one step. Rejects when it cannot be done; doing it again after a crash changes nothing twice. */
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

// An edit that depends on what was there would not be the same the second time, so its result is remembered first.
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

/** The text of a file; null when there is none. */
function readFileText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces a file whole, and keeps its mode. */
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // The name is the same each time: what a killed process leaves is taken by the repetition, before any commit.
  const temp = join(dirname(path), `.${basename(path)}.rehearsal`);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  writeFileSync(temp, text, { mode });
  renameSync(temp, path);
}

/** A short name for a text, to know it again. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
