import { z } from "zod";
import { openKeptJson } from "../platform/kept-json.ts";

const Part = z.object({
  id: z.string(),
  /** How many messages came before; chance depends on it, because ids differ each time. */
  ordinal: z.int(),
  scene: z.int().nullable(),
  /** How many steps are finished. */
  played: z.int(),
  /** What an unfinished step was about to make of a file, as a hash; null for other steps. */
  begun: z.object({ step: z.int(), after: z.string().nullable() }).nullable(),
  /** Answers by the number of the asking step. */
  answers: z.record(z.string(), z.string()),
  /** Non-null once the message is done. */
  summary: z.string().nullable(),
});
/** What is known about one message. */
export type Part = z.infer<typeof Part>;

const Kept = z.object({
  version: z.literal(1),
  count: z.int(),
  met: z.record(z.string(), z.int()),
  parts: z.array(Part),
});
type Kept = z.infer<typeof Kept>;

const EMPTY: Kept = { version: 1, count: 0, met: {}, parts: [] };

/** Maximum number of remembered messages; older ones do not come again. */
const MAX_PARTS = 1000;

/** What survives the process. Every change is on disk when the call returns. */
export interface Memory {
  met(): Readonly<Record<string, number>>;
  find(id: string): Part | null;
  note(id: string, chosen: { readonly scene: number | null; readonly met: Readonly<Record<string, number>> }): Part;
  change(id: string, patch: Partial<Omit<Part, "id">>): Part;
}

/** Opens the memory in a file; a missing file is empty. */
export function openMemory(path: string): Memory {
  const hint = "Remove it to start the rehearsal over.";
  const { value: kept, save } = openKeptJson<Kept>({ path, empty: EMPTY, parse: (value) => Kept.parse(value), hint });
  const find = (id: string): Part | null => kept().parts.find((part) => part.id === id) ?? null;
  return {
    met: () => kept().met,
    find,
    note: (id, { scene, met }) => {
      const part: Part = { id, ordinal: kept().count, scene, played: 0, begun: null, answers: {}, summary: null };
      save({ ...kept(), count: kept().count + 1, met: { ...met }, parts: [...kept().parts, part].slice(-MAX_PARTS) });
      return part;
    },
    change: (id, patch) => {
      const found = find(id);
      if (found === null) throw new Error(`message ${id} was not noted`);
      const part = { ...found, ...patch };
      save({ ...kept(), parts: kept().parts.map((other) => (other.id === id ? part : other)) });
      return part;
    },
  };
}
