import { z } from "zod";
import { openKeptJson } from "../platform/kept-json.ts";

const Kept = z.object({
  version: z.literal(1),
  conversation: z.string().nullable(),
  /** What everything started by the last bridge carries in its environment. */
  mark: z.string().nullable(),
  /** How much of the conversation's usage was reported. */
  told: z.object({
    inputTokens: z.number(),
    // Older versions did not keep it.
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
  record(ids: readonly string[], summary: string | null): void;
}

/** Opens the memory in a file; a missing file is an empty one. */
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
