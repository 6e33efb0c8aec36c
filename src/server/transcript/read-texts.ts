import { join } from "node:path";
import type { OutputEntry, RunFiles } from "./output-source.ts";
import type { EventEntry } from "./session-index.ts";

/** A line of output with its text. */
export type Line = OutputEntry & { readonly text: string };

/** Lines that are close together are read together. */
const MAX_GAP = 4096;

/** The entries, with the texts of those that are lines of a file. */
export async function readTexts(
  runFiles: { readonly fs: RunFiles; runDir(run: number): string },
  entries: readonly (OutputEntry | EventEntry)[],
): Promise<readonly (Line | EventEntry)[]> {
  const texts = new Map<number, string>();
  for (const stream of ["out", "err"] as const) {
    const own = entries.filter((entry): entry is OutputEntry => "stream" in entry && entry.stream === stream);
    for (const span of spansOf(own)) {
      const [first] = span;
      const last = span.at(-1);
      if (first === undefined || last === undefined) continue;
      const path = join(runFiles.runDir(first.run), stream);
      const bytes = await runFiles.fs.readBytes(path, first.offset, last.offset + last.size - first.offset);
      for (const { key, offset, size } of span) {
        const from = offset - first.offset;
        texts.set(stream === "out" ? key : -key, new TextDecoder().decode(bytes?.subarray(from, from + size)));
      }
    }
  }
  return entries.map((entry) =>
    "draft" in entry ? entry : { ...entry, text: texts.get(entry.stream === "out" ? entry.key : -entry.key) ?? "" },
  );
}

function spansOf(entries: readonly OutputEntry[]): readonly (readonly OutputEntry[])[] {
  const spans: OutputEntry[][] = [];
  for (const entry of entries) {
    const last = spans.at(-1)?.at(-1);
    const isClose = last !== undefined && last.run === entry.run && entry.offset - (last.offset + last.size) <= MAX_GAP;
    if (isClose) spans.at(-1)?.push(entry);
    else spans.push([entry]);
  }
  return spans;
}
