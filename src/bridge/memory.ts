import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { AoError } from "../core/errors.ts";

const Kept = z.object({
  version: z.literal(1),
  conversation: z.string().nullable(),
  /** What everything started by the last bridge carries in its environment. */
  mark: z.string().nullable(),
  /** How much of the conversation's usage was told. */
  told: z.object({
    inputTokens: z.number(),
    // Not kept by versions of before.
    cachedTokens: z.number().default(0),
    outputTokens: z.number(),
    costUsd: z.number(),
  }),
  notes: z.record(z.string(), z.string()),
  /** Messages that the vendor has; the summary is not null when that turn is over. */
  messages: z.array(z.object({ id: z.string(), summary: z.string().nullable() })),
});
type Kept = z.infer<typeof Kept>;
export type Told = Kept["told"];
type Known = Kept["messages"][number];

const EMPTY: Kept = {
  version: 1,
  conversation: null,
  mark: null,
  told: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 },
  notes: {},
  messages: [],
};

/** Messages that are remembered; older ones do not come again. */
const MAX_MESSAGES = 1000;

/** What outlives the bridge. Every change is on disk when the call returns. */
export interface Memory {
  conversation(): string | null;
  mark(): string | null;
  told(): Told;
  note(name: string): string | null;
  find(id: string): Known | null;
  change(patch: Partial<Pick<Kept, "conversation" | "mark" | "told">>): void;
  setNote(name: string, value: string): void;
  /** Remembers messages as accepted (null), or as over with this summary. */
  settle(ids: readonly string[], summary: string | null): void;
}

/** Opens the memory in a file; a missing file is an empty one. */
export function openMemory(path: string): Memory {
  let kept = read(path);
  const save = (next: Kept): void => {
    write(path, JSON.stringify(next));
    kept = next;
  };
  return {
    conversation: () => kept.conversation,
    mark: () => kept.mark,
    told: () => kept.told,
    note: (name) => kept.notes[name] ?? null,
    find: (id) => kept.messages.find((message) => message.id === id) ?? null,
    change: (patch) => save({ ...kept, ...patch }),
    setNote: (name, value) => save({ ...kept, notes: { ...kept.notes, [name]: value } }),
    settle: (ids, summary) => {
      const others = kept.messages.filter((message) => !ids.includes(message.id));
      save({ ...kept, messages: [...others, ...ids.map((id) => ({ id, summary }))].slice(-MAX_MESSAGES) });
    },
  };
}

function read(path: string): Kept {
  try {
    return Kept.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return EMPTY;
    // Going on without it could give every message a second time.
    throw new AoError({
      code: "internal",
      message: `The memory ${path} cannot be read: ${(error as Error).message.split("\n")[0]}`,
      hint: "Remove it to begin a new conversation.",
      cause: error,
    });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temp = `${path}.tmp`;
  const file = openSync(temp, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temp, path);
}
