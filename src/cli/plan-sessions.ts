import { normalizeIssue } from "../core/name.ts";
import { misuse } from "./usage.ts";

/** One session to ask for. */
export interface PlannedSession {
  readonly title?: string;
  readonly issue?: string;
}

/** Which sessions the words after `ao new` mean: one with a title, or one for each issue. */
export function planSessions(words: readonly string[], issueOptions: readonly string[]): readonly PlannedSession[] {
  const issues = issueOptions
    .flatMap((written) => written.split(","))
    .map(normalizeIssue)
    .filter((id) => id !== "");
  if (words.every(isIssue)) {
    const all = [...new Set([...words.map(normalizeIssue), ...issues])];
    return all.map((issue) => ({ issue }));
  }
  const [title, extra] = words;
  if (extra !== undefined) {
    throw misuse(`more than a title: ${JSON.stringify(extra)}`, 'Put the title in quotes: ao new "Fix the login form"');
  }
  if (title === undefined || title.trim() === "") throw misuse("the title is empty", 'ao new "Fix the login form"');
  if (issues.length > 1) throw misuse("one title for several issues", "Leave the title out, or name one issue.");
  return [{ title, ...(issues[0] === undefined ? {} : { issue: issues[0] }) }];
}

/** The first line of a prompt, as a title. */
export function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? "";
  return line
    .replace(/^[\s#>*-]+/, "")
    .trim()
    .slice(0, 80);
}

/** Forms that no title has: `42`, `#42`, `ENG-42`, the URL of an issue. */
function isIssue(word: string): boolean {
  return /^(?:#?\d+|[A-Z][A-Z0-9]*-\d+|https?:\/\/\S+)$/.test(word);
}
