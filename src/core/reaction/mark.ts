import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SessionState } from "../session/state.ts";

/** Long enough that nobody guesses it, short enough for a model to keep. */
const LENGTH = 6;

/**
 * The mark of the blocks in one message. It follows from the session's seed and the message's id, so it is the same
 * whenever the message is composed again, and nobody outside can know it before.
 */
export function markFrom(seed: string, messageId: string): string {
  return digest(seed, messageId).slice(0, LENGTH);
}

/** The seed of a session; those of older logs have none, and their exact time of creation stands in for it. */
export function seedOf({ id, createdAt, markSeed }: Pick<SessionState, "id" | "createdAt" | "markSeed">): string {
  return markSeed ?? `${id} ${createdAt}`;
}

/** The seed of a session that another one's work leads to. */
export function seedFor(parent: Parameters<typeof seedOf>[0], id: string): string {
  return digest(seedOf(parent), id);
}

function digest(seed: string, text: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${seed}\n${text}`)));
}
