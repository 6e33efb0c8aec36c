import type { Report } from "../../../driver.ts";
import { Blocks } from "../events.ts";
import { narrateResults, toToolUse } from "../narrate.ts";
import { type Entry, isAnswer, type Transcript } from "../transcript.ts";
import type { HookEvent } from "./hook-event.ts";

/** Tells what is said and done at the terminal, as the program's own transcript has it. */
export interface Narrator {
  /** From now on of this conversation; what it holds already is no news. */
  follow(transcript: Transcript): void;
  /** Tells what was saved since the last time. */
  catchUp(): void;
  /** A tool begins, which the transcript may not have yet. */
  begin(event: HookEvent): void;
  /** The last words of a turn, unless they were told. */
  conclude(words: string): void;
}

/** Makes the narrator; each thing is told once, whether a hook or the transcript has it first. */
export function createNarrator(report: Pick<Report, "said" | "tool" | "toolResult">): Narrator {
  let transcript: Transcript | null = null;
  let lastWords = "";

  const say = (text: string): void => {
    lastWords = text.trim();
    report.said(text);
  };

  const tell = (entry: Entry): void => {
    const blocks = Blocks.safeParse(entry.message?.content).data ?? [];
    if (entry.type === "user") narrateResults(blocks, report);
    if (!isAnswer(entry)) return;
    for (const { type, text, id, name = "tool", input } of blocks) {
      if (type === "text" && text) say(text);
      if (type === "tool_use" && id !== undefined) report.tool(toToolUse(id, name, input));
    }
  };

  const catchUp = (): void => {
    for (const entry of transcript?.news() ?? []) tell(entry);
  };

  return {
    follow: (next) => {
      transcript = next;
      next.news();
    },
    catchUp,
    begin: ({ tool_use_id: id, tool_name: name, tool_input: input }) => {
      catchUp();
      if (id !== undefined) report.tool(toToolUse(id, name, input));
    },
    conclude: (words) => {
      catchUp();
      if (words.trim() !== lastWords) say(words);
      lastWords = "";
    },
  };
}
