import { expect, it } from "vitest";
import { toldOf } from "../../../../testing/transcript-lines.ts";
import { createNarration } from "../../../narration.ts";
import { parseEntries, type Transcript } from "../transcript.ts";
import { parseHookEvent } from "./hook-event.ts";
import { createNarrator, type Narrator } from "./narrator.ts";

/** A narrator beside a transcript that grows. */
function beside(): {
  readonly narrator: Narrator;
  readonly transcript: Transcript;
  save(...entries: readonly object[]): void;
  told(): readonly string[];
} {
  const lines: string[] = [];
  let saved: readonly object[] = [];
  const news = (): ReturnType<Transcript["news"]> => {
    const entries = parseEntries(saved.map((entry) => JSON.stringify(entry)).join("\n"));
    saved = [];
    return entries;
  };
  return {
    narrator: createNarrator(createNarration((line) => void lines.push(line.trimEnd()))),
    save: (...entries) => {
      saved = [...saved, ...entries];
    },
    told: () => toldOf(lines),
    // The narrator asks for nothing else.
    transcript: { news } as unknown as Transcript,
  };
}

const says = (text: string): object => ({ type: "assistant", message: { content: [{ type: "text", text }] } });
const uses = (id: string): object => ({
  type: "assistant",
  message: { content: [{ type: "tool_use", id, name: "Bash", input: { command: "ls" } }] },
});
const gives = (id: string): object => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "a.txt" }] }] },
});
const hook = (id: string): NonNullable<ReturnType<typeof parseHookEvent>> => {
  const event = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: id };
  const parsed = parseHookEvent(JSON.stringify(event));
  if (parsed === null) throw new Error("no hook event");
  return parsed;
};

it("tells words, tools and results once, whether a hook or the transcript has them first", () => {
  const { narrator, save, told, transcript } = beside();
  save(says("of an earlier turn"));
  narrator.follow(transcript);
  save(says("I look."));
  narrator.begin(hook("t1"));
  save(uses("t1"), gives("t1"), says("Done."));
  narrator.conclude("Done.");
  expect(told()).toEqual(["say: I look.", "tool Bash: ls", "ok: a.txt", "say: Done."]);
});

it("tells the last words also when the transcript does not have them in time", () => {
  const bench = beside();
  bench.narrator.follow(bench.transcript);
  bench.narrator.conclude("Done.");
  expect(bench.told()).toEqual(["say: Done."]);
});
