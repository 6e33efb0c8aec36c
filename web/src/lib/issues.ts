import type { IssueView } from "../../../src/protocol/views/project.ts";
import type { SessionView } from "../../../src/protocol/views/session.ts";

/** An open issue, and why it cannot be started; both null: it can. */
export interface PickableIssue {
  readonly issue: IssueView;
  /** The session that works on it. */
  readonly takenBy: string | null;
  /** Open issues that it depends on. */
  readonly blockedBy: readonly string[];
}

/** The open issues of a project that match a search, startable ones first. */
export function listIssues(
  issues: readonly IssueView[],
  sessions: readonly Pick<SessionView, "id" | "issue" | "projectId">[],
  search = "",
): readonly PickableIssue[] {
  const open = new Set(issues.filter(({ state }) => state === "open").map(({ id }) => id));
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return issues
    .filter((issue) => open.has(issue.id) && words.every((word) => textOf(issue).includes(word)))
    .map((issue) => ({
      issue,
      takenBy: sessions.find((session) => session.issue === issue.id)?.id ?? issue.assignee,
      blockedBy: issue.dependsOn.filter((id) => open.has(id)),
    }))
    .sort((a, b) => rank(a) - rank(b));
}

/** "bug, blocked by 127", or its session. */
export function describeIssue({ issue, takenBy, blockedBy }: PickableIssue): string {
  if (takenBy !== null) return `assigned to ${takenBy}`;
  const blockers = blockedBy.length === 0 ? [] : [`blocked by ${blockedBy.join(", ")}`];
  return [...issue.labels, ...(issue.priority === null ? [] : [issue.priority]), ...blockers].join(", ");
}

function rank({ takenBy, blockedBy }: PickableIssue): number {
  if (takenBy !== null) return 2;
  return blockedBy.length > 0 ? 1 : 0;
}

function textOf({ id, title, labels }: IssueView): string {
  return [id, title, ...labels].join(" ").toLowerCase();
}
