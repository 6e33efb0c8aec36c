import type { Clock } from "../../ports/host.ts";

/** The forge may not have created the checks of such a recent commit yet. */
const YOUNG_MS = 30_000;

/** Reports whether a commit was first asked about moments ago. */
export function createYoungCommits(clock: Clock): (head: string) => boolean {
  const firstSeen = new Map<string, number>();
  return (head) => {
    const since = firstSeen.get(head) ?? clock.now();
    firstSeen.set(head, since);
    return clock.now() - since < YOUNG_MS;
  };
}
