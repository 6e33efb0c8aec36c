import { describe, expect, it } from "vitest";
import { decodeTranscriptLine } from "../core/transcript/line.ts";
import { toldOf } from "../testing/transcript-lines.ts";
import { createNarration } from "./narration.ts";

function listen(): { readonly narration: ReturnType<typeof createNarration>; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, narration: createNarration((line) => void lines.push(line.trimEnd())) };
}

const BASH = { id: "t1", name: "Bash", title: "npm test", input: null };

describe("a driver's output for the transcript", () => {
  it("has a timestamp", () => {
    const { narration, lines } = listen();
    const before = Date.now();
    narration.said("hi");
    expect(decodeTranscriptLine(lines[0] ?? "")?.at).toBeGreaterThanOrEqual(before);
  });

  it("has each tool once with its first result", () => {
    const { narration, lines } = listen();
    narration.toolResult("t1", { ok: true, text: "too early" });
    narration.tool(BASH);
    narration.tool({ ...BASH, title: "again" });
    narration.toolResult("t1", { ok: false, text: "1 failed" });
    narration.toolResult("t1", { ok: true, text: "again" });
    narration.tool(BASH);
    expect(toldOf(lines)).toEqual(["tool Bash: npm test", "failed: 1 failed"]);
  });

  it("loses its colors and keeps every other character", () => {
    const { narration, lines } = listen();
    narration.said('{"type":"done"}\n\u001b[31mred\u001b[0m\tand \u001b]0;title\u0007');
    expect(toldOf(lines)).toEqual(['say: {"type":"done"}\nred\tand \u001b]0;title\u0007']);
  });

  it("omits empty entries", () => {
    const { narration, lines } = listen();
    narration.said("  \n");
    narration.noted("");
    narration.typed(" ");
    expect(lines).toEqual([]);
  });
});
