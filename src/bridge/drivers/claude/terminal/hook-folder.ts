import { chmodSync, constants, type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock } from "../../../../platform/clock.ts";
import { pollUntil } from "../../../../ports/poll.ts";

type OnEvent = (n: number, text: string) => void;

/** The folder that the hook script writes to. */
export interface HookFolder {
  readonly path: string;
  /** Calls back for each new event, in order; events of an earlier program are skipped. */
  start(onEvent: OnEvent): void;
  /** Lets the script of an event continue and print this, or nothing. */
  release(n: number, answer: string | null): Promise<void>;
  stop(): void;
}

/** Calls back when something in a folder changes; throws if it cannot watch. */
export type WatchFolder = (path: string, onChange: () => void) => FSWatcher;

/** A watch can be lost; then this is the delay of an event. */
const POLL_MS = 500;
/** If no watch can be opened, because all of the user's inotify instances are taken. */
const POLL_ALONE_MS = 100;
/** How long a script may take from its event to its wait. */
const WAIT = { everyMs: 20, timeoutMs: 5000 };

/** Opens the folder, private to the user. */
export function openHookFolder(path: string, watchFolder: WatchFolder = watch): HookFolder {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  /** The newest event stays on disk, because the script uses the number after it. */
  let kept = 0;
  let watcher: FSWatcher | null = null;
  let poll: NodeJS.Timeout | null = null;

  const readNew = (onEvent: OnEvent): void => {
    // A script that took its number but was overtaken by others may use one below the newest.
    for (const n of listEvents(path).filter((one) => one !== kept)) {
      const text = readFileSync(join(path, `e${n}`), "utf8");
      rmSync(join(path, `e${Math.min(n, kept)}`), { force: true });
      kept = Math.max(n, kept);
      onEvent(n, text);
    }
  };

  const pollEvery = (ms: number, onEvent: OnEvent): void => {
    if (poll !== null) clearInterval(poll);
    poll = setInterval(() => readNew(onEvent), ms);
  };

  return {
    path,
    start: (onEvent) => {
      for (const name of readdirSync(path)) if (/^[wa.]/.test(name)) rmSync(join(path, name), { force: true });
      const [last = 0, ...older] = listEvents(path).toReversed();
      for (const n of older) rmSync(join(path, `e${n}`), { force: true });
      kept = last;
      watcher = tryWatch(watchFolder, path, () => readNew(onEvent));
      // If the watch breaks later, polling replaces it too.
      watcher?.on("error", () => pollEvery(POLL_ALONE_MS, onEvent));
      pollEvery(watcher === null ? POLL_ALONE_MS : POLL_MS, onEvent);
    },
    release: async (n, answer) => {
      if (answer !== null) await writeFile(join(path, `a${n}`), answer, { mode: 0o600 });
      await wake(join(path, `w${n}`));
    },
    stop: () => {
      watcher?.close();
      if (poll !== null) clearInterval(poll);
    },
  };
}

function tryWatch(watchFolder: WatchFolder, path: string, onChange: () => void): FSWatcher | null {
  try {
    return watchFolder(path, onChange);
  } catch {
    return null;
  }
}

function listEvents(path: string): readonly number[] {
  const numbers = readdirSync(path).flatMap((name) => (/^e\d+$/.test(name) ? [Number(name.slice(1))] : []));
  return numbers.sort((a, b) => a - b);
}

// A pipe without a reader cannot be opened for writing without blocking: the script has not opened it yet, or is gone.
async function wake(pipe: string): Promise<void> {
  await pollUntil(createSystemClock(), WAIT, async () => {
    try {
      const file = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      await file.write("\n");
      await file.close();
      return true;
    } catch {
      return false;
    }
  });
}
