import type { QuestionDetail } from "../../core/question.ts";

/** Everything known about one tool call. */
export interface Tool {
  readonly id: string;
  readonly title: string;
  /**
   * In the terms of the Agent Client Protocol: read, edit, delete, move, search, execute, think, fetch, switch_mode,
   * other.
   */
  readonly kind: string;
  readonly status: string;
  /** The whole command; null if it is not a command, or is only partly known. */
  readonly command: string | null;
  readonly paths: readonly string[];
  /** What it does beyond its title: the diff of its edits, or its texts. */
  readonly detail?: QuestionDetail<string> | null;
}

/** A tool on one line, for people. */
export function describeTool({ title, kind, command, paths }: Tool): string {
  if (command !== null) return command;
  const missing = paths.filter((path) => !title.includes(path));
  return [title || kind, ...missing].join(" ");
}
