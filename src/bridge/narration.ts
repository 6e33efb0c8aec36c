import { encodeTranscriptLine, type TranscriptLine } from "../core/transcript/line.ts";
import type { Report } from "./driver.ts";

/** The reports that only go to the transcript. */
export type Narration = Pick<Report, "said" | "tool" | "toolResult" | "typed" | "noted">;

/** How many tool ids are remembered; a conversation has more, but calls and their results are close together. */
const REMEMBERED = 5000;

/** Writes the transcript's lines, each with its time, and each tool and its result once; `onResult` gets what failed. */
export function createNarration(
  write: (line: string) => void,
  onResult: (text: string) => void = () => undefined,
): Narration {
  const shown = new Map<string, "open" | "over">();
  const tell = (line: DistributiveOmit<TranscriptLine, "at">): void =>
    write(encodeTranscriptLine({ ...line, at: Date.now() }));
  return {
    said: (text) => {
      if (text.trim() !== "") tell({ kind: "say", text: plain(text).trimEnd() });
    },
    tool: ({ id, name, title, input }) => {
      if (shown.has(id)) return;
      if (shown.size >= REMEMBERED) forgetOldest(shown);
      shown.set(id, "open");
      tell({
        kind: "tool",
        id,
        name,
        title: plain(title).trimEnd() || name,
        input: input === null ? null : plain(input),
      });
    },
    toolResult: (id, { ok, text }) => {
      if (shown.get(id) !== "open") return;
      shown.set(id, "over");
      if (!ok) onResult(text);
      tell({ kind: "tool-result", id, ok, text: plain(text).trimEnd(), omitted: 0 });
    },
    typed: (text) => {
      if (text.trim() !== "") tell({ kind: "prompt", text: plain(text) });
    },
    noted: (text) => {
      if (text.trim() !== "") tell({ kind: "note", text: plain(text) });
    },
  };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function forgetOldest(shown: Map<string, unknown>): void {
  for (const id of [...shown.keys()].slice(0, REMEMBERED / 2)) shown.delete(id);
}

// Colors mean nothing outside their terminal; other control characters are made visible where the text is shown.
function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, "").replace(/\r\n/g, "\n");
}
