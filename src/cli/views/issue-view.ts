import { issueReference } from "../../core/name.ts";
import type { IssueView } from "../../protocol/views/project.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";
import { visible, visibleLine } from "./visible.ts";

/** Issues as a table: number, state, labels, dependencies, title. */
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

function describeAuthor(author: IssueView["author"]): string {
  return author === undefined ? "" : `${author.name}${author.access === "none" ? " (no write access)" : ""}`;
}

/** One issue with its text. */
export function renderIssue(issue: IssueView, style: Style): string {
  const facts: readonly (readonly [string, string])[] = [
    ["state", issue.state],
    ["labels", issue.labels.join(", ")],
    ["priority", issue.priority ?? ""],
    ["after", issue.dependsOn.join(", ")],
    ["author", describeAuthor(issue.author)],
    ["assignee", issue.assignee ?? ""],
    ["url", issue.url ?? ""],
  ];
  const lines = facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `  ${style.dim(name.padEnd(8))} ${visibleLine(value)}`);
  const body = issue.body.trim() === "" ? [] : ["", visible(issue.body.trimEnd())];
  return [`${style.bold(issueReference(visibleLine(issue.id)))} ${visibleLine(issue.title)}`, ...lines, ...body].join(
    "\n",
  );
}
