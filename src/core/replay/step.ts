import type { AnyEvent, Emitted, EventType } from "../event.ts";
import { TAKEN_BACK } from "../reaction/settle-problems.ts";

/** An event of the log, with its time. */
export interface LoggedEvent extends Emitted {
  readonly at: number;
}

/** Notices about a whole project; those about a problem come with its escalation. */
const PROJECT_NOTICES: readonly string[] = ["all-complete", "main-broken"];

/** Does this event follow from the rules alone, so that a replay decides it again? */
export function isDecidedByRules(event: AnyEvent): boolean {
  switch (event.type) {
    case "problem.seen":
    case "problem.gone":
    case "problem.escalated":
    case "reaction.sent":
    case "reaction.taken":
    case "reaction.withdrawn":
    case "notice.raised":
      return true;
    case "merge.released":
      return true;
    case "merge.requested":
      return event.by === "ao";
    case "merge.held":
      return event.isPlanned === true;
    case "message.withdrawn":
      return Object.values(TAKEN_BACK).includes(event.reason);
    default:
      return false;
  }
}

/** Events that follow from the state of a project and its checks, together with their notices. */
const FROM_STATE: readonly EventType[] = [
  "commit.check-requested",
  "project.completed",
  "main.watched",
  "main.passed",
  "main.broke",
  "main.blamed",
  "main.returned",
];

/** Is this event a result of settling, so that everything before it in its commit was settled first? */
export function isSettled(event: AnyEvent): boolean {
  if (event.type === "check.rerun-requested") return event.by === "ao";
  return isDecidedByRules(event) || FROM_STATE.includes(event.type);
}

/** Events that settling makes, but that may come from elsewhere: people stop sessions too, and a rehearsal says why a check is red. */
const PERHAPS_SETTLED: readonly EventType[] = [
  "change.updated",
  "change.write-queued",
  "check.attributed",
  "check.flaked",
  "review.requested",
  "session.stop-requested",
  "untrusted.read",
];

/** May this event be a result of settling? */
export function isPerhapsSettled(event: AnyEvent): boolean {
  return PERHAPS_SETTLED.includes(event.type);
}

/** Do people want to see this event: a problem, what a rule did about it, a merge? */
export function isStep(event: AnyEvent): boolean {
  if (event.type === "notice.raised") return PROJECT_NOTICES.includes(event.key);
  return event.type !== "message.withdrawn" && event.type !== "merge.released" && isDecidedByRules(event);
}

/** Is this a message from a rule? A replay adds none: which messages agents got stays as recorded. */
export function isRuleMessage(event: AnyEvent): boolean {
  return event.type === "message.queued" && event.about !== undefined;
}

/** Equal for steps that do the same; leaves out message ids and turn counters. */
export function keyOfStep({ stream, event }: Emitted): string {
  const { messageId: _, turns: __, ...facts } = event as AnyEvent & Partial<Record<"messageId" | "turns", unknown>>;
  return keyOfEvent({ stream, event: facts as AnyEvent });
}

/** Equal for equal events. */
export function keyOfEvent({ stream, event: { type, ...facts } }: Emitted): string {
  return `${stream} ${type} ${JSON.stringify(facts)}`;
}
