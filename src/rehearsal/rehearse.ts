import { join } from "node:path";
import type { Readable } from "node:stream";
import { encodeSignal } from "../core/lines-protocol.ts";
import { findScript } from "./find-script.ts";
import { findRepository } from "./git.ts";
import { createInbox } from "./inbox.ts";
import { openMemory } from "./memory.ts";
import { type Passed, play, type Theater } from "./play.ts";
import { readScript } from "./read-script.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Plays a script for the messages on a stream until it ends. */
export async function rehearse(options: {
  /** A file, or a folder with one per issue. */
  readonly script: string;
  /** Multiplies the script's waits, on top of its own pace. */
  readonly pace?: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly print: (text: string) => void;
  readonly passed?: Passed;
}): Promise<void> {
  const { env, print } = options;
  const task = env["AO_TASK"] ?? "";
  const issue = task.slice(task.indexOf("/") + 1);
  const written = await readScript(findScript(options.script, issue));
  const script = { ...written, pace: written.pace * (options.pace ?? 1) };
  const repository = await findRepository(options.cwd);
  const theater: Theater = {
    script,
    repository,
    memory: openMemory(env["AO_REHEARSAL_STATE"] ?? join(repository.gitDir, "ao-rehearsal.json")),
    inbox: createInbox(options.input),
    session: env["AO_SESSION"] ?? "",
    task,
    issue,
    print: (text) => print(`${text}\n`),
    signal: (signal) => print(encodeSignal(signal)),
    leave,
    passed: options.passed ?? nowhere,
  };
  for (let next = await theater.inbox.next(); next !== null; next = await theater.inbox.next()) {
    await play(next, theater);
  }
}

function leave(how: Parameters<Theater["leave"]>[0]): Promise<never> {
  if (how !== "hang" && "code" in how) process.exit(how.code);
  if (how !== "hang") process.kill(process.pid, how.signal);
  // Even at the end of its input: a hanging program does not notice it.
  return new Promise(() => setInterval(() => undefined, DAY_MS));
}

function nowhere(): void {
  // Does nothing outside crash tests.
}
