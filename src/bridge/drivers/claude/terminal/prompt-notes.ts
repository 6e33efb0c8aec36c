import { z } from "zod";
import type { Notes } from "../../../driver.ts";

const Typed = z.object({
  id: z.string(),
  text: z.string(),
  /** How many entries the transcript had before. */
  from: z.number(),
  /** Of its entry in the transcript, once the program took it. */
  uuid: z.string().nullable().default(null),
});
/** The last prompt that was typed. */
export type Typed = z.infer<typeof Typed>;

const NOTE = "claude.typed";

/** Remembers what is about to be typed: after a crash the transcript tells whether the program took it. */
export function saveTyped(notes: Notes, typed: Omit<Typed, "uuid">): void {
  notes.set(NOTE, JSON.stringify(typed));
}

/** Remembers that the program took it. */
export function saveTaken(notes: Notes, id: string, uuid: string | null): void {
  const typed = readTyped(notes);
  if (typed?.id === id) notes.set(NOTE, JSON.stringify({ ...typed, uuid }));
}

/** What was typed last; null: nothing was. */
export function readTyped(notes: Notes): Typed | null {
  const text = notes.get(NOTE);
  return text === null ? null : (Typed.safeParse(JSON.parse(text)).data ?? null);
}
