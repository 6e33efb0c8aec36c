import { signalsOf, toldOf } from "../../../src/testing/transcript-lines.ts";

/** A line of the bridge to `ao`. */
export type Said = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a bridge prints, as it comes. */
export interface Transcript {
  readonly lines: readonly string[];
  said(): readonly Said[];
  /** Its transcript lines, as `toldOf` shows them. */
  told(): readonly string[];
  /** The n-th (default first) line with these fields, now or later; fails when the process ends before. */
  hear(fields: Readonly<Record<string, unknown>>, n?: number): Promise<Said>;
  /** A line or transcript entry with this prefix. */
  see(start: string): Promise<void>;
}

/** Creates a transcript, and the callbacks that feed it. */
export function createTranscript(): {
  readonly transcript: Transcript;
  take(text: string): void;
  /** No more lines will come; the text is for pending waits. */
  finish(lastWords: string): void;
} {
  const lines: string[] = [];
  const waiters: (() => void)[] = [];
  let rest = "";
  let over: string | null = null;
  const wake = (): void => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  const said = (): readonly Said[] => signalsOf(lines) as readonly Said[];
  const told = (): readonly string[] => toldOf(lines);
  const next = async (what: string): Promise<void> => {
    if (over !== null) throw new Error(`it ended before ${what}: ${lines.join("\n")}\n${over}`);
    await new Promise<void>((resolve) => waiters.push(resolve));
  };
  const hear: Transcript["hear"] = async (fields, n = 1) => {
    for (;;) {
      const found = said().filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
      if (found[n - 1] !== undefined) return found[n - 1] as Said;
      await next(JSON.stringify(fields));
    }
  };
  const see: Transcript["see"] = async (start) => {
    while (![...lines, ...told()].some((line) => line.startsWith(start))) await next(start);
  };
  return {
    transcript: { lines, said, told, hear, see },
    take: (text) => {
      const parts = `${rest}${text}`.split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      wake();
    },
    finish: (lastWords) => {
      over = lastWords;
      wake();
    },
  };
}
