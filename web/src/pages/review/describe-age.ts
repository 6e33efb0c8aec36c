import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import { formatAge } from "../../lib/time.ts";

/** "open for 4 min"; once it is merged or closed, "opened 4 min ago". */
export function describeAge({ phase, openedAt }: Pick<PullRequestView, "phase" | "openedAt">, now: number): string {
  const age = formatAge(openedAt, now);
  return phase === "open" ? `open for ${age}` : `opened ${age} ago`;
}
