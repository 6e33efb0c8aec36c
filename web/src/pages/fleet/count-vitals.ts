import { groupOf } from "../../../../src/protocol/fleet-order.ts";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { stateOf } from "../../lib/state-of.ts";
import { formatClock, formatSpan } from "../../lib/time.ts";
import { describeMain, lastMerge } from "../projects/project-state.ts";
import { isKind } from "./group-sessions.ts";

export interface Vital {
  readonly value: string;
  readonly label: string;
  /** The label for narrow screens. */
  readonly short?: string;
  readonly context: string;
  /** The filter that a click sets. */
  readonly filter: string | null;
}

export interface VitalsInput {
  /** How many agents work, and the limit; null: unknown. */
  readonly slots: { readonly used: number; readonly limit: number | null } | null;
  readonly sessions: readonly SessionView[];
  /** Entries of the inbox. */
  readonly inbox: number;
  readonly merged: readonly PullRequestView[];
  readonly now: number;
}

export function countNeeds({ sessions, inbox, now }: VitalsInput): Vital {
  const waits = sessions.flatMap(({ attention }) => (attention === null ? [] : [now - Date.parse(attention.at)]));
  // A session may have several entries, and a project its own.
  const more = inbox > waits.length ? `, ${inbox} in the inbox` : "";
  return {
    value: String(waits.length),
    label: waits.length === 1 ? "needs you" : "need you",
    context: waits.length === 0 ? describeInbox(inbox) : `oldest ${formatSpan(Math.max(...waits))}${more}`,
    filter: "is:needs-you",
  };
}

function describeInbox(entries: number): string {
  return entries === 0 ? "inbox is empty" : `${entries} in the inbox`;
}

export function countAgents({ sessions, slots }: VitalsInput): Vital {
  const working = sessions.filter((session) => isKind(session, "working")).length;
  const queued = sessions.filter((session) => groupOf(session) === "queued").length;
  const limit = slots?.limit ?? null;
  const agents = limit === null ? sessions.length - queued : (slots?.used ?? 0);
  const noun = (limit ?? agents) === 1 ? "agent" : "agents";
  return {
    value: String(agents),
    label: limit === null ? noun : `of ${limit} ${noun}`,
    short: limit === null ? noun : `of ${limit}`,
    context: queued === 0 ? `${working} working` : `${working} working, ${queued} queued`,
    filter: "is:working",
  };
}

export function countReviews({ sessions }: VitalsInput): Vital {
  const inReview = sessions.filter((session) => isKind(session, "in-review"));
  const labels = inReview.map((session) => stateOf(session).label);
  const count = (label: string): number => labels.filter((one) => one === label).length;
  const parts = [
    [count("Checks running"), "running checks"],
    [count("Fixing"), "fixing"],
    [count("Needs review"), "to review"],
  ] as const;
  const context = parts.flatMap(([n, words]) => (n === 0 ? [] : [`${n} ${words}`]));
  return { value: String(inReview.length), label: "in review", context: context.join(", "), filter: "is:in-review" };
}

export function countMerged({ merged }: VitalsInput): Vital {
  const took = merged
    .map(({ openedAt, updatedAt }) => Date.parse(updatedAt) - Date.parse(openedAt))
    .sort((a, b) => a - b);
  const median = took[Math.floor(took.length / 2)];
  const [latest] = merged;
  return {
    value: String(merged.length),
    label: "merged today",
    short: "merged",
    context:
      median === undefined || latest === undefined
        ? "none yet"
        : `median ${formatSpan(median)} open, last ${formatClock(latest.updatedAt)}`,
    filter: "is:merged",
  };
}

/** The state of the base branches: by the checks of the last merge into each. */
export function countMain(
  projects: readonly Pick<ProjectView, "id" | "defaultBranch">[],
  merged: readonly PullRequestView[],
): { readonly value: string; readonly label: string; readonly isGreen: boolean } {
  const branches = new Set(projects.map(({ defaultBranch }) => defaultBranch));
  const [branch = ""] = branches;
  const states = projects.flatMap(({ id }) => {
    const last = lastMerge(merged.filter(({ projectId }) => projectId === id));
    return last === null ? [] : [describeMain(last).isGreen];
  });
  const green = states.filter((isGreen) => isGreen === true).length;
  const value = branches.size === 1 ? branch : `${branches.size} branches`;
  const where = projects.length === 1 ? "" : `in ${projects.length} projects`;
  if (green === 0) return { value, label: where, isGreen: false };
  const label = projects.length === 1 ? "green" : `green in ${green} of ${projects.length}`;
  return { value, label, isGreen: states.every((isGreen) => isGreen === true) };
}
