import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";

/** A project's current activity, in numbers. */
export interface ProjectFigures {
  readonly needsYou: number;
  readonly working: number;
  readonly queued: number;
  readonly inReview: number;
}

/** Counts a project's sessions by activity. */
export function countSessions(
  sessions: readonly Pick<SessionView, "projectId" | "attention" | "state" | "status" | "pullRequests">[],
  projectId: string,
): ProjectFigures {
  const own = sessions.filter((session) => session.projectId === projectId);
  return {
    needsYou: own.filter(({ attention }) => attention !== null).length,
    working: own.filter(({ state, status }) => state === "working" && status !== "queued").length,
    queued: own.filter(({ status }) => status === "queued").length,
    inReview: own.filter(({ pullRequests }) => pullRequests.some(({ phase }) => phase === "open")).length,
  };
}

/** "2 need you, 3 working, 1 queued"; "nothing runs" for none. */
export function describeFigures({ needsYou, working, queued, inReview }: ProjectFigures): string {
  const parts = [
    [needsYou, needsYou === 1 ? "needs you" : "need you"],
    [working, "working"],
    [inReview, "in review"],
    [queued, "queued"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? "no open sessions" : said.join(", ");
}

/** The pull request of the last merge; null: none known to `ao`. */
export function lastMerge(pullRequests: readonly PullRequestView[]): PullRequestView | null {
  return newestFirst(pullRequests.filter(({ phase }) => phase === "merged"))[0] ?? null;
}

/** How the current tree of main was tested: by the checks of the merged commit. */
export function describeMain(merge: PullRequestView): { readonly text: string; readonly isGreen: boolean | null } {
  const { checks } = merge;
  if (checks.length === 0) return { text: "merged without checks", isGreen: null };
  const passed = checks.filter(({ state }) => state === "passed").length;
  return { text: `${passed} of ${checks.length} checks passed`, isGreen: passed === checks.length };
}

export function newestFirst<T extends { readonly updatedAt: string }>(all: readonly T[]): readonly T[] {
  return [...all].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}
