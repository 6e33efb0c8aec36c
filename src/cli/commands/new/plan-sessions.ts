import { writeOutHidden } from "../../../core/hidden-characters.ts";
import { normalizeIssue } from "../../../core/name.ts";
import { misuse } from "../../args/usage-error.ts";

/** One session to create. */
export interface PlannedSession {
  readonly title?: string;
  readonly issue?: string;
  /** The words for the agent. */
  readonly prompt?: string;
}

/**
 * The sessions that the words after `ao new` mean: one with a title, or one per issue; a text alone contains its title.
 */
export function planSessions(
  words: readonly string[],
  issueOptions: readonly string[],
  prompt?: string | undefined,
): readonly PlannedSession[] {
  const planned = words.length === 0 && issueOptions.length === 0 ? [] : planWords(words, issueOptions);
  const text = prompt === undefined ? {} : { prompt };
  if (planned.length > 0) return planned.map((one) => ({ ...one, ...text }));
  const title = prompt === undefined ? "" : titleOf(prompt);
  if (title === "") throw misuse("the title is empty", 'ao new "Fix the login form"');
  return [{ title, ...text }];
}

/** Adds the `-m` texts as paragraphs below the title; alone, the first of them contains the title. */
export function planMessages(
  words: readonly string[],
  issueOptions: readonly string[],
  messages: readonly string[],
): readonly PlannedSession[] {
  if (messages.length === 0) return planSessions(words, issueOptions);
  const text = messages.join("\n\n");
  const planned = planSessions(words, issueOptions, text);
  if (words.length === 0 && issueOptions.length === 0) return planned;
  return planned.map((one) => (one.title === undefined ? one : { ...one, prompt: `${one.title}\n\n${text}` }));
}

/** The same task several times; an issue belongs to one session. */
export function repeat(planned: readonly PlannedSession[], count: number): readonly PlannedSession[] {
  if (count > 1 && planned.some(({ issue }) => issue !== undefined)) {
    throw misuse(
      "--count with an issue, which only one session can own",
      'Give the task as a title: ao new "TITLE" --count 3',
    );
  }
  return Array.from({ length: count }, () => planned).flat();
}

function planWords(words: readonly string[], issueOptions: readonly string[]): readonly PlannedSession[] {
  const issues = issueOptions
    .flatMap((written) => written.split(","))
    .map(issueForm)
    .filter((id) => id !== "");
  if (words.every(isIssue)) {
    const all = [...new Set([...words.map(issueForm), ...issues])];
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
  return writeOutHidden(line)
    .replace(/^[\s#>*-]+/, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 80);
}

// A link is passed on whole: only the tracker knows whether it is one of its own.
function issueForm(written: string): string {
  return /^https?:\/\//.test(written.trim()) ? written.trim() : normalizeIssue(written);
}

/** Forms that no title has: `42`, `#42`, `ENG-42`, the URL of an issue. */
function isIssue(word: string): boolean {
  return /^(?:#?\d+|[A-Z][A-Z0-9]*-\d+|https?:\/\/\S+)$/.test(word);
}
