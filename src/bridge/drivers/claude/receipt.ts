/** A prompt that was written but that the program has not saved yet. */
export interface AwaitedPrompt {
  readonly promptId: string;
  readonly uuid: string;
  /** It was written during a turn. */
  readonly isMidTurn: boolean;
  /** When the program announced that it took it; null: not yet. */
  readonly announcedAt: number | null;
}

/** If nothing is saved for this long after the announcement, the program saves nothing, or elsewhere. */
const TRUST_MS = 3000;

/**
 * Has the program saved the prompt? A prompt is saved before the model is called and survives the program. The
 * announcement comes later (with the first answer), or in newer versions slightly earlier.
 */
export function isReceived(awaited: AwaitedPrompt, seen: { readonly isSaved: boolean; readonly now: number }): boolean {
  const { isMidTurn, announcedAt } = awaited;
  // During a turn the file may be ahead of the program's output: the prompt would seem to belong to that turn.
  if (isMidTurn && announcedAt === null) return false;
  return seen.isSaved || (announcedAt !== null && seen.now - announcedAt > TRUST_MS);
}

/** The program announced that it took the prompt. */
export function announce(awaited: AwaitedPrompt, now: number): AwaitedPrompt {
  return { ...awaited, announcedAt: awaited.announcedAt ?? now };
}
