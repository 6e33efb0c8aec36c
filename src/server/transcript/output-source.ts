import { join } from "node:path";
import type { AgentSignal } from "../../core/agent-signal.ts";
import { decodeSignal } from "../../core/lines-protocol.ts";
import { lastShown, withoutEscapes } from "../../core/terminal-text.ts";
import { decodeTranscriptLine, type TranscriptLine } from "../../core/transcript/line.ts";
import type { Entry } from "../../core/transcript/merge.ts";
import { createRepeats } from "../../core/transcript/repeats.ts";
import type { HostFs } from "../../ports/host.ts";
import type { TranscriptContent } from "../../protocol/views/transcript.ts";
import { describeEvent } from "../event-text.ts";
import { outputKey } from "./cursor.ts";
import { type FileLine, readLinesFrom } from "./lines-of-file.ts";

export type OutputStream = "out" | "err";

/** lines: JSON lines among others; terminal: the same among terminal sequences; plain: never JSON. */
export type OutputForm = "lines" | "terminal" | "plain";

/** A shown line of a run's output; its text stays in the file. */
export interface OutputEntry extends Entry {
  readonly key: number;
  readonly stream: OutputStream;
  readonly run: number;
  readonly offset: number;
}

/** What is known about the session that printed it. */
export interface RunFacts {
  readonly lastRun: number;
  readonly isLastOver: boolean;
  readonly form: OutputForm;
  /** When something happened according to the log, such as `run:2` or `received:m-1`. */
  timeOf(name: string): number | undefined;
}

export interface OutputSource {
  readonly entries: Readonly<Record<OutputStream, readonly OutputEntry[]>>;
  /** Reads the output since the last time. */
  update(facts: RunFacts): Promise<void>;
  /** Was this summary also printed? */
  isRepeated(text: string): boolean;
}

export type RunFiles = Pick<HostFs, "readBytes" | "stat">;

/** Maximum length of a shown plain line. */
const MAX_TEXT = 16 * 1024;

/** The output of a session's runs, one after another. Reads each byte once; keeps only places and times. */
export function createOutputSource(fs: RunFiles, runDir: (run: number) => string): OutputSource {
  const entries: Record<OutputStream, OutputEntry[]> = { out: [], err: [] };
  const places: Record<OutputStream, { run: number; offset: number }> = {
    out: { run: 1, offset: 0 },
    err: { run: 1, offset: 0 },
  };
  const latest: Record<OutputStream, number> = { out: 0, err: 0 };
  const repeats = createRepeats();

  // Times never go back within a source; a line without a time gets that of the line before it.
  const add = (stream: OutputStream, run: number, line: FileLine, at: number | undefined): void => {
    latest[stream] = Math.max(latest[stream], at ?? 0);
    const { offset, length: size } = line;
    entries[stream].push({ key: outputKey(run, offset), stream, run, offset, size, at: latest[stream] });
  };

  const takeOut = (run: number, line: FileLine, facts: RunFacts): void => {
    const text = shownIn(line.text, facts.form);
    const decoded = facts.form === "plain" ? null : decodeTranscriptLine(text);
    const signal = facts.form === "plain" || decoded !== null ? null : decodeSignal(text);
    if (signal === null) {
      repeats.addOutput(decoded ?? text);
      add("out", run, line, decoded?.at ?? undefined);
      return;
    }
    const isRepeated = repeats.report(signal);
    const anchor = "id" in signal ? facts.timeOf(`${signal.kind}:${signal.id}`) : undefined;
    latest.out = Math.max(latest.out, anchor ?? 0);
    if (hasNote(signal) && !isRepeated) add("out", run, line, undefined);
  };

  const updateStream = async (stream: OutputStream, facts: RunFacts): Promise<void> => {
    for (const place = places[stream]; ; ) {
      const { run } = place;
      if (run > facts.lastRun) return;
      const path = join(runDir(run), stream);
      const isWhole = run < facts.lastRun || facts.isLastOver;
      latest[stream] = Math.max(latest[stream], facts.timeOf(`run:${run}`) ?? 0);
      // Errors have no times; those found together were written by the time of the last of them.
      const written = stream === "err" ? (await fs.stat(path))?.mtimeMs : undefined;
      const { lines, next } = await readLinesFrom(fs, { path, from: place.offset, isWhole });
      for (const line of lines) {
        if (stream === "out") takeOut(run, line, facts);
        else add("err", run, line, written);
      }
      place.offset = next;
      if (run === facts.lastRun) return;
      place.run += 1;
      place.offset = 0;
    }
  };

  return {
    entries,
    update: async (facts) => {
      await updateStream("out", facts);
      await updateStream("err", facts);
    },
    isRepeated: repeats.has,
  };
}

/** The transcript item of an output line, and when it was printed, if known. */
export function toContent(
  text: string,
  stream: OutputStream,
  form: OutputForm,
): { readonly at: number | null; readonly content: TranscriptContent } {
  const shown = shownIn(text, form);
  const decoded = form !== "plain" && stream === "out" ? decodeTranscriptLine(shown) : null;
  if (decoded !== null) return { at: decoded.at, content: contentOf(decoded) };
  const signal = form !== "plain" && stream === "out" ? decodeSignal(shown) : null;
  if (signal?.kind === "status") return { at: null, content: noteOf(signal.state, signal.note) };
  const kept = shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
  return { at: null, content: { kind: "output", stream, text: kept } };
}

function hasNote(signal: AgentSignal): boolean {
  return signal.kind === "status" && signal.state !== "idle" && signal.note !== null;
}

// The log has a report only if it changes the agent's state; its note is shown here either way.
function noteOf(state: "working" | "idle" | "waiting", note: string | null): TranscriptContent {
  const type = "agent.reported";
  return {
    kind: "event",
    type,
    level: "info",
    text: describeEvent({ type, state, note: note?.slice(0, MAX_TEXT) ?? null }),
  };
}

function shownIn(line: string, form: OutputForm): string {
  return form === "terminal" ? lastShown(withoutEscapes(line)) : line;
}

function contentOf(line: TranscriptLine): TranscriptContent {
  switch (line.kind) {
    case "say":
      return { kind: "say", text: line.text };
    case "tool":
      return { kind: "tool", tool: line.id, name: line.name, title: line.title, input: line.input };
    case "tool-result":
      return { kind: "result", tool: line.id, ok: line.ok, text: line.text, omitted: line.omitted };
    case "prompt":
      return { kind: "message", from: "terminal", text: line.text, about: null };
    case "note":
      return { kind: "event", type: "note", level: "info", text: line.text };
  }
}
