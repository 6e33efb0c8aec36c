import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { appendLine } from "../../platform/append-line.ts";
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

const RESTARTED = "Your program was restarted, and the conversation so far is lost.";
const EARLIER = "These are your earlier messages, oldest first:";
const LOOK = "Check what is already done (git status, git log), then continue.";
const ONLY = "Your message was:";
const NEWEST = "The newest message:";

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
      appendLine(path, JSON.stringify(entry), { flush: true });
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
      const given = entries.slice(0, at + 1).map(({ id, text }) => ({ id, text: withoutOurWords(text) }));
      return findLast(given, withoutOurWords(heard));
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
  if (before.length === 0) return isKnown ? `${RESTARTED} ${LOOK} ${ONLY}\n\n${text}` : text;
  const [first, ...rest] = before;
  const told = [...(first === undefined ? [] : [first]), ...rest.slice(-MAX_RETOLD)].map((entry) => entry.text);
  const past = told.join("\n\n---\n\n");
  return `${RESTARTED} ${EARLIER}\n\n${past}\n\n---\n\n${LOOK} ${NEWEST}\n\n${text}`;
}

function withoutOurWords(heard: string): string {
  return [RESTARTED, EARLIER, LOOK, ONLY, NEWEST].reduce((text, words) => text.replaceAll(words, "\n"), heard);
}

// The words of a short prompt may also be in earlier ones, so they must occur once more than in those.
function findLast(entries: readonly Entry[], heard: string): Recall {
  const needle = needleOf(entries.at(-1)?.text ?? "");
  if (heard === "" || needle === "") return { kind: "unknown" };
  const earlier = entries.slice(0, -1).filter(({ text }) => heard.includes(needleOf(text)));
  const expected = [...earlier, ...entries.slice(-1)].reduce((sum, { text }) => sum + count(text, needle), 0);
  if (count(heard, needle) < expected) return { kind: "absent" };
  // They may be in the part of an earlier one that was not kept; a long needle is not there by chance.
  const isUncertain = needle.length < NEEDLE && earlier.some(({ text }) => text.length >= MAX_TEXT);
  return isUncertain ? { kind: "unknown" } : { kind: "taken", answer: null };
}

function count(text: string, needle: string): number {
  return text.split(needle).length - 1;
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
