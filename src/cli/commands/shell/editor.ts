import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AoError } from "../../../core/errors.ts";
import { runLineIn } from "./in-worktree.ts";

/** A task written in an editor. */
export interface WrittenTask {
  readonly title: string;
  readonly body: string;
  /** Where the text is, until it is no longer needed. */
  readonly file: string;
}

const TEMPLATE = `

# The first line is the title. Leave a line blank, then write what the agent should know.
# Lines that start with # are left out. An empty title starts nothing.
`;

/** The first non-empty one of these variables. */
export function firstSet(...names: readonly string[]): string | undefined {
  return names.map((name) => process.env[name]).find((value) => value !== undefined && value.trim() !== "");
}

/** Lets a person write a task in their editor. */
export async function writeTask(): Promise<WrittenTask> {
  const file = join(mkdtempSync(join(tmpdir(), "ao-new-")), "TASK_EDITMSG");
  writeFileSync(file, TEMPLATE);
  const editor = firstSet("VISUAL", "EDITOR") ?? editorOfGit();
  const code = await runLineIn(".", editor, [file]);
  const task = readTask(readFileSync(file, "utf8"));
  if (code === 0 && task.title !== "") return { ...task, file };
  dropTask(file);
  const message = code === 0 ? "Nothing to do: the title is empty." : `The editor ended with exit code ${code}.`;
  const hint = code === 0 ? 'ao new "Fix the login form"' : `It was: ${editor}`;
  throw new AoError({ code: "message-refused", message, hint });
}

/** Removes the text of a started task. */
export function dropTask(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}

/** Title and body, parsed like a git commit message: comments are dropped, the first line is the title. */
export function readTask(text: string): { readonly title: string; readonly body: string } {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  const [title = "", ...rest] = lines.join("\n").trim().split("\n");
  return { title: title.trim(), body: rest.join("\n").trim() };
}

// git knows the user's setting and the system's default.
function editorOfGit(): string {
  const answer = spawnSync("git", ["var", "GIT_EDITOR"], { encoding: "utf8" });
  const editor = answer.status === 0 ? answer.stdout.trim() : "";
  return editor === "" ? "vi" : editor;
}
