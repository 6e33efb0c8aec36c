import type { AnyEvent } from "../event.ts";
import type { DryRunRow, StepKind } from "./dry-run-row.ts";
import { MAX_EXAMPLES } from "./dry-run-row.ts";
import type { LoggedEvent } from "./step.ts";

const KINDS: readonly StepKind[] = ["messages", "escalations", "notifications", "actions", "holds"];

/** What other rules do more and less often than those in force, merges left out. */
export function compareSteps(before: readonly LoggedEvent[], after: readonly LoggedEvent[]): readonly DryRunRow[] {
  return KINDS.flatMap((kind) => {
    const [old, wanted] = [before, after].map((steps) => steps.filter(({ event }) => kindOf(event) === kind));
    return [
      ...toRow(`fewer-${kind}`, surplus(old ?? [], wanted ?? [])),
      ...toRow(`more-${kind}`, surplus(wanted ?? [], old ?? [])),
    ];
  });
}

function kindOf(event: AnyEvent): StepKind | null {
  switch (event.type) {
    case "reaction.sent":
      return "messages";
    case "problem.escalated":
      return event.messages > 0 && !event.reminder ? "escalations" : "notifications";
    case "notice.raised":
      return "notifications";
    case "reaction.taken":
      return "actions";
    case "merge.held":
      return "holds";
    default:
      return null;
  }
}

// The same step for the same problem counts as the same, however often it was tried before and whenever it came.
function surplus(steps: readonly LoggedEvent[], others: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const left = new Map<string, number>();
  for (const step of others) left.set(identityOf(step), (left.get(identityOf(step)) ?? 0) + 1);
  return steps.filter((step) => {
    const count = left.get(identityOf(step)) ?? 0;
    left.set(identityOf(step), count - 1);
    return count <= 0;
  });
}

function identityOf({ stream, event }: LoggedEvent): string {
  if (event.type === "reaction.taken") return `${stream} ${event.problem} ${event.action}`;
  if (event.type === "reaction.sent") return `${stream} ${event.problem}`;
  if (event.type === "problem.escalated") return `${stream} ${event.id}`;
  return event.type === "notice.raised" ? `${stream} ${event.key} ${event.projectId}` : stream;
}

function toRow(kind: DryRunRow["kind"], steps: readonly LoggedEvent[]): readonly DryRunRow[] {
  if (steps.length === 0) return [];
  const examples = steps.slice(0, MAX_EXAMPLES).map(({ stream, event }) => ({ stream, event }));
  return [{ kind, count: steps.length, reason: null, savedMs: 0, examples }];
}
