import type { IssueFilter } from "../../../ports/tracker.ts";
import type { TrackerConfig } from "./config.ts";

/** A text as a JQL value: whatever it contains, it stays one value. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/[\n\r\t]/g, " ")}"`;
}

/** The JQL of a list. `person` is Jira's id of the assignee, or `me`. */
export function jqlOf(config: TrackerConfig, filter: IssueFilter, person: string | null): string {
  const labels = [...config.labels, ...(filter.labels ?? [])];
  const clauses = [
    `project = ${quote(config.project)}`,
    ...(filter.state === undefined ? [] : [`statusCategory ${filter.state === "closed" ? "=" : "!="} "Done"`]),
    ...labels.map((label) => `labels in (${spellings(label).map(quote).join(", ")})`),
    ...(person === null ? [] : [`assignee = ${person === "me" ? "currentUser()" : quote(person)}`]),
    ...(config.jql === undefined ? [] : [`(${config.jql})`]),
  ];
  return `${clauses.join(" AND ")} ORDER BY key ASC`;
}

/** Jira's labels are case-sensitive, people are not: queries the usual spellings. */
function spellings(label: string): readonly string[] {
  const lower = label.toLowerCase();
  const capital = `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}`;
  return [...new Set([label, lower, label.toUpperCase(), capital])];
}
