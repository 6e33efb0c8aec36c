import type { IssueView } from "../../protocol/views/project.ts";
import type { Style } from "./style.ts";
import { oneLine, renderTable } from "./table.ts";

/** Issues as a table: number, state, labels, what they wait for, title. */
export function renderIssues(issues: readonly IssueView[], style: Style, columns: number | undefined): string {
  const rows = issues.map((issue) => [
    issue.id,
    issue.state,
    issue.labels.join(", "),
    issue.dependsOn.join(", "),
    issue.title,
  ]);
  const table = renderTable([["ISSUE", "STATE", "LABELS", "AFTER", "TITLE"], ...rows], {
    columns,
    paint: (text, row) => (row === 0 ? style.dim(text) : text),
  });
  return table.join("\n");
}

/** One issue with its text. */
export function renderIssue(issue: IssueView, style: Style): string {
  const facts: readonly (readonly [string, string])[] = [
    ["state", issue.state],
    ["labels", issue.labels.join(", ")],
    ["priority", issue.priority ?? ""],
    ["after", issue.dependsOn.join(", ")],
    ["assignee", issue.assignee ?? ""],
    ["url", issue.url ?? ""],
  ];
  const lines = facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `  ${style.dim(name.padEnd(8))} ${oneLine(value)}`);
  const body = issue.body.trim() === "" ? [] : ["", issue.body.trimEnd()];
  return [`${style.bold(`#${issue.id}`)} ${oneLine(issue.title)}`, ...lines, ...body].join("\n");
}
