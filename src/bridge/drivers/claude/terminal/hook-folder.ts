import { chmodSync, constants, type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The folder that the hook script writes to. */
export interface HookFolder {
  readonly path: string;
  /** Tells each event from now on, in order; what an earlier program left is passed over. */
  start(onEvent: (n: number, text: string) => void): void;
  /** Lets the script of an event go on, with this to say, or with nothing. */
  release(n: number, answer: string | null): Promise<void>;
  stop(): void;
}

/** A watch can be lost; then this is how late an event comes. */
const POLL_MS = 500;
/** How long a script may take from its event to its wait. */
const WAIT_MS = 5000;
const ROUND_MS = 20;

/** Opens the folder, private to the user. */
export function openHookFolder(path: string): HookFolder {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  /** The last one stays when it is told: the script counts on from it. */
  let kept = 0;
  let watcher: FSWatcher | null = null;
  let poll: NodeJS.Timeout | null = null;

  const look = (onEvent: (n: number, text: string) => void): void => {
    // A script that counted before others went ahead may use the number of an event that was told already.
    for (const n of listEvents(path).filter((one) => one !== kept)) {
      const text = readFileSync(join(path, `e${n}`), "utf8");
      rmSync(join(path, `e${Math.min(n, kept)}`), { force: true });
      kept = Math.max(n, kept);
      onEvent(n, text);
    }
  };

  return {
    path,
    start: (onEvent) => {
      for (const name of readdirSync(path)) if (/^[wa.]/.test(name)) rmSync(join(path, name), { force: true });
      const [last = 0, ...older] = listEvents(path).toReversed();
      for (const n of older) rmSync(join(path, `e${n}`), { force: true });
      kept = last;
      watcher = watch(path, () => look(onEvent));
      poll = setInterval(() => look(onEvent), POLL_MS);
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

function listEvents(path: string): readonly number[] {
  const numbers = readdirSync(path).flatMap((name) => (/^e\d+$/.test(name) ? [Number(name.slice(1))] : []));
  return numbers.sort((a, b) => a - b);
}

// A pipe without a reader cannot be opened for writing without waiting: then the script is not there yet, or no more.
async function wake(pipe: string): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += ROUND_MS) {
    try {
      const file = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      await file.write("\n");
      await file.close();
      return;
    } catch {
      await pause(ROUND_MS);
    }
  }
}
