import type { QuestionDetail } from "../../../core/question.ts";
import { describeChanges, diffOf, readPresent, showPath } from "../../kit/file-diff.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the program wants to do, in full: the command, the diff, or the tool's whole input. */
interface Matter {
  readonly question: string;
  readonly detail: QuestionDetail<string> | null;
}

/** A request for a tool, as shown to people. */
export function describeRequest(tool: string, input: Fields, cwd: string): Matter {
  const path = textOf(input["file_path"]);
  const content = textOf(input["content"]);
  const command = textOf(input["command"]);
  if (command !== null && tool === "Bash") {
    return { question: `Claude Code wants to run${howRun(input)}:`, detail: { format: "command", text: command } };
  }
  if (path !== null && content !== null && tool === "Write") return describeWrite(path, content, cwd);
  const edits = path === null ? [] : readEdits(tool, input);
  if (path !== null && edits.length > 0) return describeEdit(path, edits, cwd);
  const plan = textOf(input["plan"]);
  if (plan !== null && tool === "ExitPlanMode") {
    return { question: "Claude Code wants to carry out this plan:", detail: { format: "text", text: plan } };
  }
  return describeOther(tool, input);
}

// The model's own description of a command is left out, because it is not what runs.
function howRun(input: Fields): string {
  const background = input["run_in_background"] === true ? " in the background" : "";
  return `${background}${input["dangerouslyDisableSandbox"] === true ? " outside its sandbox" : ""}`;
}

function describeWrite(path: string, content: string, cwd: string): Matter {
  const before = readPresent(cwd, path);
  const shown = showPath(cwd, path);
  if (before === null || typeof before === "string") {
    const { what, detail } = describeChanges([{ path: shown, before, after: content }]);
    return { question: `Claude Code wants to ${what}:`, detail };
  }
  const question = `Claude Code wants to overwrite ${shown}, which ${before.unknown}, with:`;
  return { question, detail: { format: "text", text: content } };
}

interface Edit {
  readonly from: string;
  readonly to: string;
  readonly isAll: boolean;
}

function readEdits(tool: string, input: Fields): readonly Edit[] {
  const list = tool === "MultiEdit" && Array.isArray(input["edits"]) ? (input["edits"] as readonly unknown[]) : [];
  return (tool === "Edit" ? [input] : list).flatMap((one) => {
    const { old_string: from, new_string: to, replace_all } = (one ?? {}) as Fields;
    return typeof from === "string" && typeof to === "string" ? [{ from, to, isAll: replace_all === true }] : [];
  });
}

// Shown in its file if it applies; otherwise only its two texts are known.
function describeEdit(path: string, edits: readonly Edit[], cwd: string): Matter {
  const shown = showPath(cwd, path);
  const before = readPresent(cwd, path);
  const after = before !== null && typeof before !== "string" ? null : applyAll(before ?? "", edits);
  if (after !== null) {
    const { what, detail } = describeChanges([{ path: shown, before: before as string | null, after }]);
    return { question: `Claude Code wants to ${what}:`, detail };
  }
  const text = edits.map(({ from, to }) => diffOf({ path: shown, before: from, after: to })).join("\n");
  const everywhere = edits.some(({ isAll }) => isAll) ? ", everywhere in it" : "";
  return { question: `Claude Code wants to edit ${shown}${everywhere}:`, detail: { format: "diff", text } };
}

function applyAll(text: string, edits: readonly Edit[]): string | null {
  let result: string = text;
  for (const { from, to, isAll } of edits) {
    const at = result.indexOf(from);
    if (at < 0) return null;
    if (isAll && from !== "") result = result.split(from).join(to);
    else result = `${result.slice(0, at)}${to}${result.slice(at + from.length)}`;
  }
  return result;
}

// For a tool with one text as input, that text; otherwise the whole input.
function describeOther(tool: string, input: Fields): Matter {
  const question = `Claude Code wants to use ${tool}:`;
  const values = Object.values(input);
  const [only] = values;
  if (values.length === 0) return { question: `Claude Code wants to use ${tool}.`, detail: null };
  const text = values.length === 1 && typeof only === "string" ? only : JSON.stringify(input, null, 2);
  return { question, detail: { format: "text", text } };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** What "allow always" would allow, from the program's own suggestions. */
export function describeScope(suggestions: readonly Fields[]): string {
  const allowed = suggestions.flatMap((suggestion): readonly string[] => {
    const { type, rules, directories, mode } = suggestion;
    if (type === "setMode")
      return [mode === "acceptEdits" ? "all edits in the workspace" : `everything of mode ${show(mode)}`];
    if (Array.isArray(directories)) return directories.map((folder) => `reading and editing in ${show(folder)}`);
    return Array.isArray(rules) ? rules.map(nameRule) : [JSON.stringify(suggestion)];
  });
  return `${allowed.join(", ")}; until the agent's process ends`;
}

function nameRule(rule: unknown): string {
  const { toolName, ruleContent } = (rule ?? {}) as Fields;
  if (typeof toolName !== "string") return show(rule);
  return typeof ruleContent === "string" ? `${toolName}(${ruleContent})` : `every use of ${toolName}`;
}

// A value that is not of the documented type is shown as it came.
function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
