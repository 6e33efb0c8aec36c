import type { Clock } from "../../ports/host.ts";

/** A commit that was pushed so lately may have checks that its forge has not made yet. */
const YOUNG_MS = 30_000;

/** Tells whether a commit was first asked about a moment ago. */
export function createYoungCommits(clock: Clock): (head: string) => boolean {
  const firstSeen = new Map<string, number>();
  return (head) => {
    const since = firstSeen.get(head) ?? clock.now();
    firstSeen.set(head, since);
    return clock.now() - since < YOUNG_MS;
  };
}
