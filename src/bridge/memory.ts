import { z } from "zod";
import { openKeptJson } from "../platform/kept-json.ts";

const Kept = z.object({
  version: z.literal(1),
  conversation: z.string().nullable(),
  /** The mark in the environment of everything that the last bridge started. */
  mark: z.string().nullable(),
  /** How much of the conversation's usage was already reported. */
  told: z.object({
    inputTokens: z.number(),
    // Older versions did not store it.
    cachedTokens: z.number().default(0),
    outputTokens: z.number(),
    costUsd: z.number(),
  }),
  notes: z.record(z.string(), z.string()),
  /** Messages that the vendor has; the summary is non-null once that turn is over. */
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

/** Maximum number of remembered messages; older ones do not come again. */
const MAX_MESSAGES = 1000;

/** What survives the bridge. Every change is on disk when the call returns. */
export interface Memory {
  conversation(): string | null;
  mark(): string | null;
  told(): Told;
  note(name: string): string | null;
  find(id: string): Known | null;
  change(patch: Partial<Pick<Kept, "conversation" | "mark" | "told">>): void;
  setNote(name: string, value: string): void;
  /** Records messages as accepted (null), or as done with this summary. */
  record(ids: readonly string[], summary: string | null): void;
}

/** Opens the memory in a file; a missing file is empty. */
export function openMemory(path: string): Memory {
  const hint = "Remove it to begin a new conversation.";
  const { value: kept, save } = openKeptJson<Kept>({ path, empty: EMPTY, parse: (value) => Kept.parse(value), hint });
  return {
    conversation: () => kept().conversation,
    mark: () => kept().mark,
    told: () => kept().told,
    note: (name) => kept().notes[name] ?? null,
    find: (id) => kept().messages.find((message) => message.id === id) ?? null,
    change: (patch) => save({ ...kept(), ...patch }),
    setNote: (name, value) => save({ ...kept(), notes: { ...kept().notes, [name]: value } }),
    record: (ids, summary) => {
      const others = kept().messages.filter((message) => !ids.includes(message.id));
      save({ ...kept(), messages: [...others, ...ids.map((id) => ({ id, summary }))].slice(-MAX_MESSAGES) });
    },
  };
}
