import type { RunOutput } from "../../ports/run-output.ts";
import type { OutputEntry } from "./output-source.ts";
import type { EventEntry } from "./session-index.ts";

/** A line of output with its text. */
export type Line = OutputEntry & { readonly text: string };

/** Lines that are close together are read together. */
const MAX_GAP = 4096;
const MAX_SPAN = 1024 * 1024;

/** The entries, with the texts of those that are lines of a file. */
export async function readTexts(
  output: Pick<RunOutput, "read">,
  entries: readonly (OutputEntry | EventEntry)[],
): Promise<readonly (Line | EventEntry)[]> {
  const texts = new Map<OutputEntry, string>();
  const decoder = new TextDecoder();
  for (const file of ["out", "err"] as const) {
    const own = entries.filter((entry): entry is OutputEntry => "stream" in entry && entry.stream === file);
    for (const span of spansOf(own)) {
      const [first] = span;
      const last = span.at(-1);
      if (first === undefined || last === undefined) continue;
      const range = { from: first.offset, max: last.offset + last.size - first.offset };
      const bytes = await output.read(first.run, file, range);
      for (const entry of span) {
        const from = entry.offset - first.offset;
        texts.set(entry, decoder.decode(bytes.subarray(from, from + entry.size)));
      }
    }
  }
  return entries.map((entry) => ("draft" in entry ? entry : { ...entry, text: texts.get(entry) ?? "" }));
}

function spansOf(entries: readonly OutputEntry[]): readonly (readonly OutputEntry[])[] {
  const spans: OutputEntry[][] = [];
  for (const entry of entries) {
    const span = spans.at(-1);
    const last = span?.at(-1);
    const isClose = last !== undefined && last.run === entry.run && entry.offset - (last.offset + last.size) <= MAX_GAP;
    const fits = entry.offset + entry.size - (span?.[0]?.offset ?? 0) <= MAX_SPAN;
    if (isClose && fits) span?.push(entry);
    else spans.push([entry]);
  }
  return spans;
}
