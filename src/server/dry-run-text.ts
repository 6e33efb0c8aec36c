import { describeBlocker } from "../core/merge/blockers.ts";
import type { RowReason } from "../core/replay/dry-run-row.ts";

/** Why these merges would wait, or what became of them; null: nothing to add. */
export function describeRowReason(reason: RowReason, count: number): string | null {
  if (reason === null) return null;
  const isOne = count === 1;
  switch (reason.kind) {
    case "unrecorded":
      return reason.what.kind === "size"
        ? `${isOne ? "its" : "their"} size was not recorded`
        : `check \`${reason.what.name}\` did not run`;
    case "closed":
      return "later closed";
    case "changed":
      return "later changed";
    case "path":
      return `${isOne ? "it touches" : "they touch"} \`${reason.pattern}\``;
    case "too-large":
      return `${isOne ? "it changes" : "they change"} more than ${reason.limit} ${reason.what}`;
    case "approvals":
      return `${isOne ? "it needs" : "they need"} ${reason.missing} approval${reason.missing === 1 ? "" : "s"}`;
    default:
      return describeBlocker(reason);
  }
}
