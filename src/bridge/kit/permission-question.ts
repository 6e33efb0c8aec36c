import type { QuestionDetail } from "../../core/question.ts";

/** What a program wants to do, as far as known. */
export interface Wanted {
  /** The program's name. */
  readonly name: string;
  /** The whole command; null if it is not one. */
  readonly command: string | null;
  /** On one line, if it is not a command. */
  readonly title: string;
  /** In full, if it is not a command: a diff, a text. */
  readonly detail: QuestionDetail<string> | null;
  /** More about it, such as the reason. */
  readonly note?: string | undefined;
}

/** A request for permission, as shown to people: the headline, and the subject verbatim. */
export function describeWanted({ name, command, title, detail, note = "" }: Wanted): {
  readonly question: string;
  readonly detail: QuestionDetail<string> | null;
} {
  const about = note === "" ? "" : ` (${note})`;
  if (command !== null)
    return { question: `${name} wants to run${about}:`, detail: { format: "command", text: command } };
  const end = detail === null ? "" : ":";
  const isVerb = /^(?:edit|read|fetch|leave)\b/.test(title);
  return { question: `${name} ${isVerb ? "wants to" : "asks for permission:"} ${title}${about}${end}`, detail };
}

/** The descriptions of a question's options, by label. */
export function describeOptions(
  options: readonly { readonly label: string; readonly description?: string | null | undefined }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(options.flatMap(({ label, description }) => (description ? [[label, description]] : [])));
}
