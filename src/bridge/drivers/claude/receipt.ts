/** A prompt that was written, and that the program does not have for good yet. */
export interface AwaitedPrompt {
  readonly promptId: string;
  readonly uuid: string;
  /** It was written in the middle of a turn. */
  readonly isMidTurn: boolean;
  /** When the program said that it took it up; null: it did not yet. */
  readonly announcedAt: number | null;
}

/** After the program's word nothing was saved for so long: it saves nothing, or elsewhere. */
const TRUST_MS = 3000;

/**
 * Does the program have the prompt for good? A prompt is saved before the model is asked and outlives the program. Its own word
 * comes later (with the first answer), or in newer versions a little earlier.
 */
export function isReceived(awaited: AwaitedPrompt, seen: { readonly isSaved: boolean; readonly now: number }): boolean {
  const { isMidTurn, announcedAt } = awaited;
  // In the middle of a turn the file may be ahead of what the program printed: the prompt would seem to belong to that turn.
  if (isMidTurn && announcedAt === null) return false;
  return seen.isSaved || (announcedAt !== null && seen.now - announcedAt > TRUST_MS);
}

/** The program said that it took the prompt up. */
export function announce(awaited: AwaitedPrompt, now: number): AwaitedPrompt {
  return { ...awaited, announcedAt: awaited.announcedAt ?? now };
}
