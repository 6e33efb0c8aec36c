import { appendFileSync, closeSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHostFs } from "../../platform/fs.ts";
import { createRunOutput } from "../../platform/run-output.ts";
import type { RunOutput } from "../../ports/run-output.ts";
import type { TranscriptItem, TranscriptPage } from "../../protocol/views/transcript.ts";
import { aSession, aWorld } from "../../testing/builders.ts";
import { createMemoryStore } from "../../testing/memory-store.ts";
import { tempDir } from "../../testing/temp.ts";
import type { Actions } from "../actions.ts";
import { createTranscripts, type Transcripts } from "./transcripts.ts";

const MIB = 1024 * 1024;
const T0 = Date.parse("2026-11-15T12:00:00Z");

interface Scene {
  readonly out: string;
  readonly err: string;
  /** How many bytes of output were read. */
  bytesRead(): number;
  /** A daemon that knows nothing yet. */
  open(): Transcripts;
}

/** A session with one run whose output is written by the test. */
function makeScene(input: "inbox" | "terminal" | "file" = "inbox"): Scene {
  const dir = tempDir();
  mkdirSync(join(dir, "1"));
  for (const name of ["out", "err"]) writeFileSync(join(dir, "1", name), "");
  let read = 0;
  const actions = {
    engine: {
      world: aWorld({ sessions: [aSession({ id: "demo-1", input, run: { state: "alive", n: 1 } })] }),
      lastPosition: () => 0,
    },
    store: createMemoryStore(),
    pullRequests: { textOf: async (text: { inline: string }) => text.inline },
    runFiles: {
      output: () => {
        const output = createRunOutput(createHostFs(), (run) => join(dir, String(run)));
        const page = async (...place: Parameters<RunOutput["read"]>): Promise<Uint8Array> => {
          const bytes = await output.read(...place);
          read += bytes.length;
          return bytes;
        };
        return { ...output, read: page };
      },
    },
  } as unknown as Actions;
  return {
    out: join(dir, "1", "out"),
    err: join(dir, "1", "err"),
    bytesRead: () => read,
    open: () => createTranscripts(actions),
  };
}

const textOf = (item: TranscriptItem): string => ("text" in item ? (item.text ?? "") : item.kind);
const read = (transcripts: Transcripts, cursor: string | undefined, limit: number): Promise<TranscriptPage> =>
  transcripts.read("demo-1", { cursor, limit });

async function readBack(open: () => Transcripts, limit: number): Promise<readonly TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(open(), cursor, limit);
    items.unshift(...page.data);
    if (page.older === null) return items;
    cursor = page.older;
  }
}

async function readForth(open: () => Transcripts, limit: number, from = "a.0.0.0"): Promise<readonly TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  for (let cursor = from; ; ) {
    const page = await read(open(), cursor, limit);
    items.push(...page.data);
    if (page.cursor === cursor) return items;
    ({ cursor } = page);
  }
}

/** Lines of every kind and length, so many bytes of them in all. */
function mixedLines(bytes: number, seed: number): readonly string[] {
  const lines: string[] = [];
  let random = seed;
  for (let size = 0, n = 0; size < bytes; n += 1) {
    random = (random * 48271) % 2147483647;
    const filler = "x".repeat(random % 5000 === 0 ? 300_000 : random % 60);
    const at = new Date(T0 + n * 1000).toISOString();
    const line =
      random % 7 === 0
        ? JSON.stringify({ type: "say", text: `${n} ${filler}`, at })
        : random % 11 === 0
          ? JSON.stringify({ type: "status", state: "working", note: `note ${n % 5}` })
          : `${n} ${filler}`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines;
}

describe("long output", () => {
  it("has each line once, in order, forward and backward, in every daemon", async () => {
    const scene = makeScene();
    writeFileSync(scene.out, `${mixedLines(2 * MIB, 77).join("\n")}\n`);
    const shared = scene.open();
    const whole = await readForth(() => shared, 1000);
    const ids = whole.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(whole.filter(({ kind }) => kind === "output" || kind === "say").length).toBeGreaterThan(10_000);
    for (const limit of [333, 1000]) {
      expect((await readBack(() => shared, limit)).map(({ id }) => id)).toEqual(ids);
      expect((await readBack(scene.open, limit)).map(({ id }) => id)).toEqual(ids);
    }
    expect((await readForth(scene.open, 1000)).map(({ id }) => id)).toEqual(ids);
  });

  it("reaches a follower once, however its writes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        fc.array(fc.integer({ min: 1, max: 400_000 })),
        async (seed, cuts) => {
          const scene = makeScene();
          const text = `${mixedLines(MIB, seed).join("\n")}\n`;
          const transcripts = scene.open();
          const seen: string[] = [];
          let { cursor } = await read(transcripts, undefined, 10);
          let at = 0;
          for (const cut of [...cuts, text.length]) {
            appendFileSync(scene.out, text.slice(at, at + cut));
            at += cut;
            const items = await readForth(() => transcripts, 1000, cursor);
            seen.push(...items.map(({ id }) => id));
            ({ cursor } = await read(transcripts, undefined, 1));
          }
          expect(seen).toEqual((await readForth(scene.open, 1000)).map(({ id }) => id));
        },
      ),
      { numRuns: 15 },
    );
  });

  it("is read from its end: the newest page of 32 MiB reads less than 12 MiB of it", async () => {
    const scene = makeScene();
    writeFileSync(scene.out, "1234567\n".repeat(4 * MIB));
    const page = await read(scene.open(), undefined, 20);
    expect(page.data).toHaveLength(20);
    expect(page.data.map(textOf)).toEqual(Array(20).fill("1234567"));
    expect(scene.bytesRead()).toBeLessThan(12 * MIB);
  });

  it("keeps its place after the words before it, also when megabytes of it carry no time", async () => {
    const scene = makeScene();
    const say = (text: string, seconds: number): string =>
      `${JSON.stringify({ type: "say", text, at: new Date(T0 + seconds * 1000).toISOString() })}\n`;
    writeFileSync(scene.out, say("first", 10) + "1234567\n".repeat((3 * MIB) / 8));
    writeFileSync(scene.err, "a warning\n");
    utimesSync(scene.err, T0 / 1000 + 5, T0 / 1000 + 5);
    const newest = await read(scene.open(), undefined, 20);
    expect(newest.data.map(textOf)).toEqual(Array(20).fill("1234567"));
    const oldest = await readForth(scene.open, 1000);
    expect(oldest.slice(0, 3).map(textOf)).toEqual(["a warning", "first", "1234567"]);
  });

  it("shows the start of a line of 32 MiB, once, and what is around it", async () => {
    const scene = makeScene();
    writeFileSync(scene.out, `before\n${"y".repeat(32 * MIB)}\nafter\n`);
    const { data, older } = await read(scene.open(), undefined, 20);
    expect(data.map((item) => textOf(item).slice(0, 10))).toEqual(["before", "yyyyyyyyyy", "after"]);
    expect(data.map((item) => textOf(item).length)).toEqual([6, 16 * 1024 + 1, 5]);
    expect(older).toBeNull();
    expect((await readForth(scene.open, 1)).map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  });

  it("shows a line of 32 MiB to a follower while it is still being printed", async () => {
    const scene = makeScene();
    const transcripts = scene.open();
    let { cursor } = await read(transcripts, undefined, 20);
    const next = async (): Promise<readonly string[]> => {
      const items = await readForth(() => transcripts, 100, cursor);
      ({ cursor } = await read(transcripts, undefined, 1));
      return items.map((item) => textOf(item).slice(0, 5));
    };
    const seen: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      appendFileSync(scene.out, "z".repeat(4 * MIB));
      seen.push(...(await next()));
    }
    appendFileSync(scene.out, "\nafter\n");
    seen.push(...(await next()));
    expect(seen).toEqual(["zzzzz", "after"]);
  });

  it("begins where its freed start ends", async () => {
    const scene = makeScene();
    const file = openSync(scene.out, "w");
    writeSync(file, "first\nsecond\n", 9 * MIB + 77);
    closeSync(file);
    expect((await readBack(scene.open, 1)).map(textOf)).toEqual(["first", "second"]);
    expect((await readForth(scene.open, 1)).map(textOf)).toEqual(["first", "second"]);
  });

  it.each([
    ["short lines", "lines", "1234567\n"],
    ["short lines of a terminal", "terminal", "\u001b[1m123\r\n"],
    ["empty lines", "lines", "\n"],
    ["reports", "lines", '{"type":"status","state":"working","note":"x"}\n'],
    ["reports and words", "lines", 'abc {\n{"type":"status","state":"working","note":"x y z 1"}\n'],
    ["ends of turns", "lines", 'abc\n{"type":"done","summary":"abd"}\n'],
    ["braces", "lines", "{\n"],
  ] as const)("never holds the daemon up: 8 MiB of %s", async (_, form, line) => {
    const scene = makeScene(form === "lines" ? "inbox" : form);
    writeFileSync(scene.out, line.repeat(Math.ceil((8 * MIB) / line.length)));
    const transcripts = scene.open();
    await read(transcripts, undefined, 1);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const view = async (): Promise<void> => {
      const { older } = await read(transcripts, undefined, 1000);
      if (older !== null) await read(transcripts, older, 1000);
    };
    await Promise.all(Array.from({ length: 20 }, view));
    delay.disable();
    expect(delay.percentile(99) / 1e6).toBeLessThan(50);
  });
});
