import type { Question } from "../../driver.ts";
import { diffOf } from "../../kit/file-diff.ts";
import { describeOptions, describeWanted } from "../../kit/permission-question.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import { unwrapShell } from "./command-line.ts";
import type { ApprovalRequest, InputRequest, Item } from "./messages.ts";

export const ALWAYS = "allow always";

/** The command that a request is about. */
export function toCommand({ itemId, kind, command, reason, networkApprovalContext }: ApprovalRequest): Tool {
  // Requests for input to a running program and for network access contain a command that is not their subject.
  const isCommand = kind === "command" && networkApprovalContext == null && command != null;
  const title = isCommand ? "" : `${reason ?? kind} ${unwrapShell(command ?? "")}`.trim();
  const known = { id: itemId, title, status: "pending", paths: [] };
  return { ...known, kind: "execute", command: isCommand ? unwrapShell(command) : null };
}

/** The file changes that a request is about. */
export function toChange({ itemId }: ApprovalRequest, changes: Item["changes"]): Tool {
  const paths = changes.flatMap(({ path, kind }) => (kind?.move_path ? [path, kind.move_path] : [path]));
  const isKnown = changes.some(({ diff }) => diff);
  const detail = isKnown ? ({ format: "diff", text: changes.map(showChange).join("\n") } as const) : null;
  return { id: itemId, title: "edit", kind: "edit", status: "pending", command: null, paths, detail };
}

// For a new or deleted file the program sends the content, otherwise the hunks.
function showChange({ path, diff, kind }: Item["changes"][number]): string {
  const target = kind?.move_path || path;
  if (!diff) return `--- ${path}\n+++ ${target}`;
  if (kind?.type === "add") return diffOf({ path, before: null, after: diff });
  if (kind?.type === "delete") return diffOf({ path, before: diff, after: null });
  return diff.startsWith("--- ") ? diff : `--- ${path}\n+++ ${target}\n${diff.replace(/\n$/, "")}`;
}

/** Can it be allowed for the rest of the process? */
export function offersAlways({ availableDecisions }: ApprovalRequest): boolean {
  return availableDecisions.includes("acceptForSession");
}

/** A request for permission, as shown to people. */
export function toPermission(id: string, request: ApprovalRequest, about: { tool: Tool; cwd: string }): Question {
  const { command, detail = null, kind } = about.tool;
  const title = describeTool(about.tool);
  const scope = kind === "edit" ? "edits of the same files" : "the same command";
  const hasAlways = offersAlways(request);
  return {
    id,
    kind: "permission",
    ...describeWanted({ name: "Codex", command, title, detail, note: noteOf(request, about.cwd) }),
    choices: hasAlways ? ["allow", ALWAYS, "deny"] : ["allow", "deny"],
    descriptions: hasAlways ? { [ALWAYS]: `${scope}, until the agent's process ends` } : {},
    freeText: true,
  };
}

/** A question from the agent itself. */
export function toQuestion(id: string, { question, options }: InputRequest["questions"][number]): Question {
  const choices = (options ?? []).map(({ label }) => label);
  return { id, kind: "question", question, choices, descriptions: describeOptions(options ?? []), freeText: true };
}

function noteOf({ reason, cwd, command }: ApprovalRequest, workspace: string): string {
  const where = command != null && cwd && cwd !== workspace ? `in ${cwd}` : "";
  return [where, reason ?? ""].filter((text) => text !== "").join("; ");
}
