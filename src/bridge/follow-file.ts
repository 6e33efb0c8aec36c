import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";

/** A watch can be lost or impossible; then this is the delay of a line. */
const POLL_MS = 1000;
const UNWATCHED_POLL_MS = 200;
const CHUNK = 64 * 1024;

type WatchFile = (path: string, onChange: () => void) => FSWatcher;

// A user has few watches, and other programs may hold them all: then it polls.
function watchOrPoll(watchFile: WatchFile, path: string, onChange: () => void): Pick<FSWatcher, "close"> {
  try {
    return watchFile(path, onChange).on("error", () => undefined);
  } catch {
    const timer = setInterval(onChange, UNWATCHED_POLL_MS);
    return { close: () => clearInterval(timer) };
  }
}

/** A file's content from the start, and everything appended to it, endlessly. */
export function followFile(path: string, watchFile: WatchFile = watch): Readable {
  let file: FileHandle | null = null;
  let watcher: Pick<FSWatcher, "close"> | null = null;
  let position = 0;
  let wake = (): void => undefined;
  const poll = setInterval(() => wake(), POLL_MS);

  const untilChanged = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const readMore = async (buffer: Buffer): Promise<number> => {
    file ??= await open(path, "r");
    watcher ??= watchOrPoll(watchFile, path, () => wake());
    for (;;) {
      const changed = untilChanged();
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
      if (bytesRead > 0 || stream.destroyed) return bytesRead;
      await changed;
    }
  };
  const stream = new Readable({
    read() {
      const buffer = Buffer.alloc(CHUNK);
      readMore(buffer).then(
        (length) => {
          position += length;
          if (!stream.destroyed) stream.push(buffer.subarray(0, length));
        },
        (error: Error) => stream.destroy(error),
      );
    },
    destroy(error, callback) {
      clearInterval(poll);
      watcher?.close();
      wake();
      void (file?.close() ?? Promise.resolve()).then(() => callback(error), callback);
    },
  });
  return stream;
}
