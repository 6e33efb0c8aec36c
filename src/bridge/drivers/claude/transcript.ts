import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Recall, Usage } from "../../driver.ts";
import { sumByModel, toUsage } from "./usage.ts";

/** Everything saved about a conversation; the program writes it before it calls the model. */
export interface Transcript {
  exists(): boolean;
  /** Has this prompt been saved? Reads only what is new since the last call. */
  has(uuid: string): boolean;
  recall(uuid: string): Recall;
  /** How many entries there are. */
  count(): number;
  /** The uuid of the first prompt that contains this text, from an entry on. */
  findPrompt(text: string, from: number): string | null;
  /** Entries saved since the last call; the first call returns all. */
  news(): readonly Entry[];
  /** Did the model say exactly this? */
  hasAnswer(text: string): boolean;
  /** The usage of model calls after this message, by model, and the last of them. */
  usedAfter(messageId: string | null): { readonly usages: readonly Usage[]; readonly last: string | null };
  /** Its end for `usedAfter`, which then returns only what comes later; `before` is what was last reported. */
  end(before: string | null): string;
}

/** In front of the last reported message if the transcript was empty: all of it counts, unless it begins as a copy. */
const EMPTY = "empty after ";

/** The transcript of a conversation, wherever it is in the program's folder. */
export function openTranscript(conversation: string, env: Readonly<Record<string, string | undefined>>): Transcript {
  const root = join(env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? "", ".claude"), "projects");
  let path: string | null = null;
  const find = (): string | null => {
    path ??= findFile(root, `${conversation}.jsonl`);
    return path;
  };
  const readAll = (): readonly Entry[] => {
    const file = find();
    return file === null ? [] : parseEntries(readFileSync(file, "utf8"));
  };
  const readForPrompts = createTail();
  const readForNews = createTail();
  const prompts = new Set<string>();
  return {
    exists: () => find() !== null,
    has: (uuid) => {
      const file = find();
      for (const entry of file === null ? [] : readForPrompts(file)) {
        const saved = entry.attachment?.source_uuid ?? (entry.type === "user" ? entry.uuid : undefined);
        if (saved !== undefined) prompts.add(saved);
      }
      return prompts.has(uuid);
    },
    news: () => {
      const file = find();
      return file === null ? [] : readForNews(file);
    },
    recall: (uuid) => recallFrom(readAll(), uuid),
    count: () => readAll().length,
    findPrompt: (text, from) => findPrompt(readAll().slice(from), text),
    hasAnswer: (text) =>
      readAll().some((entry) => isAnswer(entry) && textOf(entry.message?.content)?.trim() === text.trim()),
    usedAfter: (messageId) => usageAfter(readAll(), messageId),
    end: (before) => endOf(readAll(), before),
  };
}

// The folder's name derives from the workspace in the program's own way; the file's name is enough.
function findFile(root: string, name: string): string | null {
  if (!existsSync(root)) return null;
  const folder = readdirSync(root).find((one) => existsSync(join(root, one, name)));
  return folder === undefined ? null : join(root, folder, name);
}

const Entry = z.looseObject({
  type: z.string().catch(""),
  uuid: z.string().optional(),
  isSidechain: z.boolean().catch(false),
  attachment: z.looseObject({ source_uuid: z.string().optional() }).optional().catch(undefined),
  message: z
    .looseObject({
      id: z.string().optional(),
      model: z.string().catch(""),
      stop_reason: z.string().nullish().catch(null),
      content: z.unknown().optional(),
      usage: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
});
export type Entry = z.infer<typeof Entry>;

/** The entries of a transcript; ignores an incomplete last line. */
export function parseEntries(text: string): readonly Entry[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [Entry.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

// A prompt that came during a turn is saved as an attachment.
function isPrompt(entry: Entry, uuid: string): boolean {
  return (entry.type === "user" && entry.uuid === uuid) || entry.attachment?.source_uuid === uuid;
}

/** The uuid of the first prompt that contains this text. */
export function findPrompt(entries: readonly Entry[], text: string): string | null {
  const found = entries.find((entry) => entry.type === "user" && textOf(entry.message?.content)?.includes(text));
  return found?.uuid ?? null;
}

/** What the entries say about a prompt: it is over when the model's last words after it end a turn. */
export function recallFrom(entries: readonly Entry[], uuid: string): Recall {
  const at = entries.findIndex((entry) => isPrompt(entry, uuid));
  if (at < 0) return { kind: "absent" };
  const rest = entries.slice(at + 1);
  const next = rest.findIndex((entry) => entry.type === "user" && textOf(entry.message?.content) !== null);
  const answers = rest.slice(0, next < 0 ? rest.length : next).filter(isAnswer);
  const last = answers.at(-1);
  const isOver = last?.message?.stop_reason === "end_turn";
  return { kind: "taken", answer: isOver ? (textOf(last?.message?.content) ?? "") : null };
}

/**
 * The usage of model calls after a message. Each content block of a call is an entry that repeats the call's usage.
 * Without that message (a crash lost it, or it is from another conversation) nothing is counted, rather than all again.
 */
export function usageAfter(
  entries: readonly Entry[],
  messageId: string | null,
): { readonly usages: readonly Usage[]; readonly last: string | null } {
  const known = messageId?.startsWith(EMPTY) ? messageId.slice(EMPTY.length) : messageId;
  const from = known === null ? -1 : entries.findLastIndex((entry) => entry.message?.id === known);
  if (known !== null && known === messageId && from < 0) return { usages: [], last: lastAnswer(entries) ?? messageId };
  const calls = new Map(
    entries
      .slice(from + 1)
      .filter(isAnswer)
      .map(({ message }) => [
        message?.id ?? "",
        toUsage(Tokens.safeParse(message?.usage).data, message?.model || null),
      ]),
  );
  return { usages: sumByModel([...calls.values()]), last: [...calls.keys()].at(-1) ?? messageId };
}

/** The end of a conversation that a person switched to. */
export function endOf(entries: readonly Entry[], before: string | null): string {
  return lastAnswer(entries) ?? (before?.startsWith(EMPTY) ? before : `${EMPTY}${before ?? ""}`);
}

function lastAnswer(entries: readonly Entry[]): string | null {
  return entries.findLast(isAnswer)?.message?.id ?? null;
}

const Tokens = z.object({
  input_tokens: z.number().catch(0),
  output_tokens: z.number().catch(0),
  cache_read_input_tokens: z.number().catch(0),
  cache_creation_input_tokens: z.number().catch(0),
});

/** Did the model say or do it, in this conversation and not in a sub-agent's? */
export function isAnswer(entry: Entry): boolean {
  return entry.type === "assistant" && !entry.isSidechain && entry.message?.model !== "<synthetic>";
}

function textOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? (content as readonly { type?: unknown; text?: unknown }[]) : [];
  const texts = blocks.filter((block) => block?.type === "text").map(({ text }) => text);
  const words = texts.filter((text) => typeof text === "string");
  return words.length === 0 ? null : words.join("\n");
}

const CHUNK = 1024 * 1024;

/** Reads a growing file: each call returns the new entries. */
function createTail(): (path: string) => readonly Entry[] {
  let position = 0;
  return (path) => {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
      let length = 0;
      while (length < bytes.length) {
        const got = readSync(file, bytes, length, Math.min(CHUNK, bytes.length - length), position + length);
        if (got === 0) break;
        length += got;
      }
      // Takes only complete lines; reads the bytes of an incomplete one again.
      const end = bytes.subarray(0, length).lastIndexOf(10) + 1;
      position += end;
      return parseEntries(bytes.subarray(0, end).toString("utf8"));
    } finally {
      closeSync(file);
    }
  };
}
