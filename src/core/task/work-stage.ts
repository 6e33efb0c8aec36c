import type { ChangeState } from "../change/state.ts";
import type { SessionState } from "../session/state.ts";

/** The stage of the work on an issue: a session works on it, or its pull request is open. */
export type WorkStage = "working" | "review";

/** The stage of a session's work; null: not started, or over. */
export function stageOf(session: SessionState, changes: Iterable<ChangeState>): WorkStage | null {
  const phases = [...changes].map(({ phase }) => phase);
  if (session.issue === null || session.role !== "worker" || phases.includes("merged")) return null;
  if (session.phase === "stopped" || session.workspace.state !== "ready") return null;
  return phases.includes("open") ? "review" : "working";
}
