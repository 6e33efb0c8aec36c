import type { WorkStage } from "../../../core/task/work-stage.ts";
import { type Access, requireRecord } from "./read.ts";
import { isClosed, type State } from "./record.ts";
import { stateFor } from "./states.ts";
import { updateIssue } from "./write.ts";

/** Kinds of states in the order of work. */
const ORDER = ["triage", "backlog", "unstarted", "started", "completed", "canceled", "duplicate"];

/** Moves an issue forward; one that is closed, or further, stays where it is. */
export async function moveIssue(access: Access, id: string, stage: WorkStage): Promise<void> {
  if (access.config.states[stage] === undefined) return;
  const issue = await requireRecord(access, id);
  if (isClosed(issue.state)) return;
  const wanted = await stateFor(access, issue.team.id, stage);
  const rank = ({ type, position }: State): number => ORDER.indexOf(type) * 1e6 + position;
  if (rank(issue.state) < rank(wanted)) await updateIssue(access, issue, { stateId: wanted.id });
}
