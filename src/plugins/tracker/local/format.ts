import { Document, isScalar } from "yaml";
import { AoError } from "../../../core/errors.ts";
import type { Issue, IssuePatch, NewIssue } from "../../../ports/tracker.ts";
import { formatBody, joinFile } from "./file-text.ts";
import { normalizeIssueId } from "./id.ts";
import type { ParsedFile } from "./parse.ts";

/** The text of a new issue's file. */
export function formatIssue(issue: NewIssue): string {
  const document = new Document({});
  const patch: IssuePatch = { title: issue.title, state: "open", labels: issue.labels, dependsOn: issue.dependsOn };
  applyPatch(document, issue.priority === undefined ? patch : { ...patch, priority: issue.priority });
  const rest = formatBody(issue.body, "\n");
  return joinFile({ mark: "", frontMatter: formatYaml(document), rest, lineEnd: "\n" });
}

/** The text of an issue's file after an edit: keeps comments, unknown keys and, unless it is edited, the body. */
export function formatEdit(parsed: ParsedFile, patch: IssuePatch): string {
  const { document, file, issue } = parsed;
  const { body, ...fields } = onlyChanges(patch, issue);
  // A title from a heading must not disappear with the old body.
  const kept = body !== undefined && !document.has("title") ? { title: issue.title, ...fields } : fields;
  const isSame = Object.keys(kept).length === 0;
  if (!isSame) applyPatch(document, kept);
  return joinFile({
    ...file,
    frontMatter: isSame ? file.frontMatter : formatYaml(document),
    rest: body === undefined ? file.rest : formatBody(body, file.lineEnd),
  });
}

function applyPatch(document: Document, patch: IssuePatch): void {
  // A front matter of only `~` or `null`.
  if (isScalar(document.contents)) document.contents = null;
  if (patch.title !== undefined) document.set("title", oneLine(patch.title));
  if (patch.state !== undefined) document.set("state", patch.state);
  if (patch.labels !== undefined) setList(document, "labels", patch.labels);
  if (patch.priority !== undefined) document.set("priority", patch.priority);
  if (patch.dependsOn !== undefined)
    setList(document, "dependsOn", patch.dependsOn.map(normalizeIssueId).map(asNumber));
  if (patch.assignee === null) document.delete("assignee");
  else if (patch.assignee !== undefined) document.set("assignee", patch.assignee);
}

// Equal values keep their quotes, comments and list style.
function onlyChanges(patch: IssuePatch, issue: Issue): IssuePatch {
  const isChange = ([key, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(issue[key as keyof IssuePatch]);
  return Object.fromEntries(Object.entries(patch).filter(isChange));
}

function setList(document: Document, key: string, values: readonly (string | number)[]): void {
  document.set(key, document.createNode(values, { flow: true }));
}

function asNumber(id: string): string | number {
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
}

function formatYaml(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function oneLine(title: string): string {
  const text = title.replace(/\s+/g, " ").trim();
  if (text === "") throw new AoError({ code: "usage", message: "An issue needs a title." });
  return text;
}
