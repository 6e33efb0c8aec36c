import type { QuestionDetail } from "../../core/question.ts";

/** What a program wants to do, as far as it is known. */
export interface Wanted {
  /** The program's name. */
  readonly name: string;
  /** The whole command; null: it is none. */
  readonly command: string | null;
  /** In a line, where it is no command. */
  readonly title: string;
  /** The whole of it, where it is no command: a diff, a text. */
  readonly detail: QuestionDetail<string> | null;
  /** More about it, such as why. */
  readonly note?: string | undefined;
}

/** A request for permission as people decide on it: the headline, and verbatim what it is about. */
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

/** By the label of an option of a question: what the program says about it. */
export function describeOptions(
  options: readonly { readonly label: string; readonly description?: string | null | undefined }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(options.flatMap(({ label, description }) => (description ? [[label, description]] : [])));
}
