import type { Mark } from "../../lib/state-of.ts";

/** Something that the palette can do or open. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: "Do" | "Go to" | "Sessions and pull requests";
  readonly text: string;
  /** At the right: which session, or which state. */
  readonly note: string;
  readonly mark: Mark | null;
  /** Keys that do the same. */
  readonly keys: string | null;
  readonly run: () => void;
}

const GROUPS = ["Do", "Go to", "Sessions and pull requests"] as const;
/** How many entries of each group are shown. */
const SHOWN = 8;

export interface EntryGroup {
  readonly group: PaletteEntry["group"];
  readonly entries: readonly PaletteEntry[];
}

/** Entries that match the typed text, best first: `>` only actions, `@` sessions, `#` pull requests. */
export function searchEntries(entries: readonly PaletteEntry[], typed: string): readonly EntryGroup[] {
  const { words, isWanted } = readQuery(typed);
  return GROUPS.flatMap((group) => {
    const found = entries
      .filter((entry) => entry.group === group && isWanted(entry))
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, SHOWN);
    return found.length === 0 ? [] : [{ group, entries: found.map(({ entry }) => entry) }];
  });
}

interface Query {
  readonly words: readonly string[];
  readonly isWanted: (entry: PaletteEntry) => boolean;
}

function readQuery(typed: string): Query {
  const text = typed.trim().toLowerCase();
  const words = (rest: string): readonly string[] => rest.split(/\s+/).filter(Boolean);
  if (text.startsWith(">")) return { words: words(text.slice(1)), isWanted: ({ group }) => group === "Do" };
  if (text.startsWith("@")) return { words: words(text.slice(1)), isWanted: ({ id }) => id.startsWith("session:") };
  if (text.startsWith("#")) return { words: words(text), isWanted: ({ id }) => id.startsWith("pull-request:") };
  return { words: words(text), isWanted: () => true };
}

/** Matches at the start of a text or word count more; 0: a word is missing. */
function scoreOf({ text, note }: PaletteEntry, words: readonly string[]): number {
  const haystack = `${text} ${note}`.toLowerCase();
  let score = 1;
  for (const word of words) {
    const at = haystack.indexOf(word);
    if (at === -1) return 0;
    score += at === 0 ? 4 : /\W/.test(haystack[at - 1] ?? " ") ? 2 : 1;
  }
  return score;
}

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
  readonly at: number;
}

/** A text in pieces, with matches marked. */
export function markMatches(text: string, typed: string): readonly Piece[] {
  const words = readQuery(typed).words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (words.length === 0) return [{ text, isMatch: false, at: 0 }];
  const pieces: Piece[] = [];
  for (const part of text.split(new RegExp(`(${words.join("|")})`, "i"))) {
    const at = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
    if (part !== "") pieces.push({ text: part, isMatch: new RegExp(`^(${words.join("|")})$`, "i").test(part), at });
  }
  return pieces;
}
