import { splitStream } from "../stream.ts";
import type { LoggedEvent } from "./step.ts";

/** What became of a pull request, according to the log. */
export interface Outcome {
  /** The commit that was merged; null: none. */
  readonly merged: string | null;
  readonly isClosed: boolean;
  /** The main guard reverted its merge. */
  readonly isReverted: boolean;
}

const NOTHING_YET: Outcome = { merged: null, isClosed: false, isReverted: false };

/** Adds what one event says about the fate of a pull request, by its key. */
export function noteOutcome(outcomes: Map<string, Outcome>, { stream, event }: LoggedEvent): void {
  const note = (key: string, facts: Partial<Outcome>): void => {
    outcomes.set(key, { ...(outcomes.get(key) ?? NOTHING_YET), ...facts });
  };
  const { id } = splitStream(stream);
  if (event.type === "change.merged") note(id, { merged: event.head, isClosed: false });
  if (event.type === "change.closed") note(id, { isClosed: true });
  if (event.type === "change.reopened") note(id, { isClosed: false });
  if (event.type === "main.reverted") note(event.key, { isReverted: true });
}
