import { type AoErrorOptions, type ErrorCode, PluginError, type PluginErrorCategory } from "../../core/errors.ts";

/** An error from git: the code is for people and scripts, the category decides whether to retry. */
export function failure(
  code: ErrorCode,
  category: PluginErrorCategory,
  options: Omit<AoErrorOptions, "code">,
): PluginError {
  return new PluginError({ ...options, code, category, plugin: "git" });
}

/** The last lines of a program's output, short enough for an error message. */
export function tailOf(text: string, lines: number, maxChars = 2000): string {
  return text.trim().split("\n").slice(-lines).join("\n").slice(-maxChars);
}
