import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Prompt, Recall } from "../driver.ts";

/** The prompts written to the agent, and what a loaded conversation contains of them. */
export interface History {
  /** A prompt is about to be written; on disk when this returns. */
  add(prompt: Prompt): void;
  /** A person's words in the replay of a loaded conversation; pieces of one message arrive one after another. */
  addReplayed(text: string): void;
  /** The loaded conversation is completely replayed. */
  loaded(): void;
  /** The conversation is new: it contains no earlier prompt. */
  lost(): void;
  recall(promptId: string): Recall;
  /** The text to send: in a conversation that lost its past, the first prompt repeats it. */
  compose(prompt: Prompt): string;
}

const Entry = z.object({ id: z.string(), text: z.string() });
type Entry = z.infer<typeof Entry>;

/** Per text; enough to repeat it. */
const MAX_TEXT = 32 * 1024;
const MAX_RETOLD = 20;
const NEEDLE = 300;
/** For the replay; only its end is uncertain. */
const MAX_HEARD = 16 * 1024 * 1024;

const LOOK = "Check what is already done (git status, git log), then continue.";

/** Opens the history in a file. */
export function openHistory(path: string): History {
  const entries = readEntries(path);
  let state: "new" | "loaded" | "lost" = "new";
  let heard = "";
  return {
    add: ({ id, text }) => {
      if (entries.some((entry) => entry.id === id)) return;
      const entry = { id, text: text.slice(0, MAX_TEXT) };
      entries.push(entry);
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true } as { mode: number });
    },
    addReplayed: (text) => {
      heard = `${heard}${text}`.slice(-MAX_HEARD);
    },
    loaded: () => {
      state = "loaded";
    },
    lost: () => {
      state = "lost";
    },
    recall: (promptId) => {
      const at = entries.findIndex(({ id }) => id === promptId);
      // A prompt that was never written, or only to a lost conversation, is not known.
      if (state !== "loaded" || at < 0) return { kind: "absent" };
      if (heard === "") return { kind: "unknown" };
      const needle = needleOf(entries[at]?.text ?? "");
      const given = entries.slice(0, at + 1).filter(({ text }) => needleOf(text) === needle).length;
      return heard.split(needle).length - 1 >= given ? { kind: "taken", answer: null } : { kind: "absent" };
    },
    compose: ({ id, text }) => {
      if (state !== "lost") return text;
      state = "new";
      const isKnown = entries.some((entry) => entry.id === id);
      const before = entries.filter((entry) => entry.id !== id && !entry.id.includes(".go-on-"));
      return retell(before, isKnown, text);
    },
  };
}

function retell(before: readonly Entry[], isKnown: boolean, text: string): string {
  const restarted = "Your program was restarted, and the conversation so far is lost.";
  if (before.length === 0) return isKnown ? `${restarted} ${LOOK} Your message was:\n\n${text}` : text;
  const [first, ...rest] = before;
  const told = [...(first === undefined ? [] : [first]), ...rest.slice(-MAX_RETOLD)].map((entry) => entry.text);
  const past = told.join("\n\n---\n\n");
  return `${restarted} These are your earlier messages, oldest first:\n\n${past}\n\n---\n\n${LOOK} The newest message:\n\n${text}`;
}

function needleOf(text: string): string {
  return text.trim().slice(0, NEEDLE);
}

function readEntries(path: string): Entry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [Entry.parse(JSON.parse(line))];
      } catch {
        // The last line may be incomplete: then its prompt was not sent either.
        return [];
      }
    });
}
