import type { PullRequestView } from "../protocol/views/pull-request.ts";
import type { SessionView } from "../protocol/views/session.ts";
import { type DemoView, pullRequestOf } from "./demo-view.ts";
import { REVIEWER } from "./story.ts";
import type { Tale } from "./tale.ts";

/** The tone of a line; the terminal turns it into a color. */
export type Tone = "waiting" | "busy" | "trouble" | "good";

/** One session as one line. */
export interface ProgressRow {
  readonly sessionId: string;
  readonly title: string;
  /** One word for where it is. */
  readonly stage: string;
  readonly detail: string;
  readonly tone: Tone;
}

type Place = Pick<ProgressRow, "stage" | "detail" | "tone">;

const AGAIN: Place = {
  stage: "killed",
  detail: "agent killed; a new one continues where it was",
  tone: "trouble",
};

/** Its agent has ended and its workspace is handled. */
export function isGone({ status }: SessionView): boolean {
  return status === "stopped" || status === "merged";
}

/** A line per session, in the order of the issues. */
export function describeProgress(view: DemoView, tale: Tale): readonly ProgressRow[] {
  return view.sessions.map((session) => {
    const change = pullRequestOf(view, session.issue);
    const hasDied = (tale.sessions[session.id]?.deaths ?? 0) > 0;
    return { sessionId: session.id, title: session.title, ...placeOf(session, change, hasDied) };
  });
}

function placeOf(session: SessionView, change: PullRequestView | null, hasDied: boolean): Place {
  if (change?.phase === "merged") return afterMerge(session, change);
  // Once the agent's turn is over, the session shows what its pull request needs.
  if (change?.phase === "open" && session.status === change.status) return waitingOn(change);
  switch (session.status) {
    case "queued":
      return { stage: "queued", detail: session.evidence, tone: "waiting" };
    case "preparing":
    case "starting":
    case "restarting":
      return hasDied ? AGAIN : { stage: "starting", detail: session.evidence, tone: "busy" };
    case "needs-input":
      return { stage: "asks", detail: session.evidence.replace(/^asks: /, ""), tone: "trouble" };
    case "working":
      return {
        stage: change === null ? "working" : "fixing",
        detail: withNumber(session.evidence, change),
        tone: "busy",
      };
    case "idle":
      return { stage: "done", detail: withNumber(session.evidence, change), tone: "busy" };
    default:
      return { stage: session.status, detail: session.evidence, tone: "trouble" };
  }
}

function afterMerge(session: SessionView, change: PullRequestView): Place {
  const detail = `#${change.number} is ${(change.mergeCommit ?? "").slice(0, 7)} on ${change.base}`;
  if (isGone(session)) return { stage: "merged", detail, tone: "good" };
  return { stage: "merged", detail: `${detail}; removing its worktree`, tone: "good" };
}

function waitingOn(change: PullRequestView): Place {
  const say = (stage: string, text: string, tone: Tone): Place => ({
    stage,
    detail: withNumber(text, change),
    tone,
  });
  switch (change.status) {
    case "checks-running":
      return say("checks", change.evidence, "busy");
    case "ci-failed":
      return say("red", `${change.evidence}; log sent to its agent`, "trouble");
    case "changes-requested":
      return isChecked(change)
        ? say("review", change.evidence, "trouble")
        : say("checks", "checking the requested change", "busy");
    case "conflict":
      return say("conflict", `${change.evidence}; sent to its agent`, "trouble");
    case "review-pending":
      return say("review", `green; waiting for ${REVIEWER}`, "waiting");
    case "mergeable":
    case "merging":
      return say("merging", change.evidence, "busy");
    default:
      return say(change.status, change.evidence, "trouble");
  }
}

function isChecked({ checks }: PullRequestView): boolean {
  return checks.length > 0 && checks.every(({ state }) => state === "passed");
}

function withNumber(text: string, change: PullRequestView | null): string {
  return change === null ? text : `#${change.number} ${text}`;
}
