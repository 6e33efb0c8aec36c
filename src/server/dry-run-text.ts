import { describeBlocker } from "../core/merge/blockers.ts";
import type { RowReason } from "../core/replay/dry-run-row.ts";

/** Why these merges would wait, or what became of them; null: nothing to add. */
export function describeRowReason(reason: RowReason, count: number): string | null {
  if (reason === null) return null;
  const say = (one: string, several: string): string => (count === 1 ? one : several);
  switch (reason.kind) {
    case "unrecorded":
      return reason.what.kind === "size"
        ? `${say("its", "their")} size was not recorded`
        : `check \`${reason.what.name}\` did not run`;
    case "closed":
      return "later closed";
    case "changed":
      return "later changed";
    case "path":
      return `${say("it touches", "they touch")} \`${reason.pattern}\``;
    case "held":
      return `${say("it changes", "they change")} files that a person must approve`;
    case "too-large":
      return `${say("it changes", "they change")} more than ${reason.limit} ${reason.what}`;
    case "approvals":
      return `${say("it needs", "they need")} ${reason.missing} approval${reason.missing === 1 ? "" : "s"}`;
    default:
      return describeBlocker(reason);
  }
}
