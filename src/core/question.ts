import { beginning, type StoredText } from "./text.ts";

/** permission: the agent wants to do something; question: it wants to know something. */
export type QuestionKind = "permission" | "question";

/** The subject of a question, verbatim: the whole command, the diff of an edit, or any other text. */
export interface QuestionDetail<Text = StoredText> {
  readonly format: "command" | "diff" | "text";
  readonly text: Text;
}

/** What an agent asks a person. */
export interface Asked<Text = StoredText> {
  readonly kind: QuestionKind;
  /** The headline; newlines are kept. */
  readonly question: string;
  readonly detail: QuestionDetail<Text> | null;
  readonly choices: readonly string[];
  /** By choice: what it means, such as the scope of "always". */
  readonly descriptions: Readonly<Record<string, string>>;
  /** Any other answer is allowed too; for a permission it denies with that reason. */
  readonly freeText: boolean;
}

/** The same from an agent that gives less, or from a log that predates the other fields. */
export type PartlyAsked<Text = StoredText> = Pick<Asked<Text>, "question" | "choices"> & Partial<Asked<Text>>;

/** A question with every field. Without choices any text is an answer. */
export function completeAsked<Text>(asked: PartlyAsked<Text>): Asked<Text> {
  const { kind = "question", question, detail = null, choices, descriptions = {} } = asked;
  return { kind, question, detail, choices, descriptions, freeText: asked.freeText === true || choices.length === 0 };
}

/** A question on one line, for lists and notices: newlines as ⏎, and an ellipsis if more follows. */
export function summarizeQuestion(asked: PartlyAsked, length = 200): string {
  const { question, detail = null } = asked;
  // The headline of an edit names the file; the start of its diff adds nothing.
  const about = detail === null || detail.format === "diff" ? "" : beginning(detail.text);
  const line = [question, about].map(inOneLine).filter(Boolean).join(" ");
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** The same, as the reason why a session waits. */
export function describeAsked(asked: PartlyAsked): string {
  return asked.kind === "permission" ? summarizeQuestion(asked) : `asks: ${summarizeQuestion(asked)}`;
}

function inOneLine(text: string): string {
  return text.trim().replace(/\s*\r?\n\s*/g, " ⏎ ");
}

/** The description of a choice, or null. */
export function descriptionOf({ descriptions }: Pick<Asked, "descriptions">, choice: string): string | null {
  return Object.hasOwn(descriptions, choice) ? (descriptions[choice] ?? null) : null;
}

/** Maximum headline, choices, choice length, and total description length, in UTF-16 units. */
const MAX_QUESTION = 1000;
const MAX_CHOICES = 20;
const MAX_CHOICE = 500;
const MAX_DESCRIPTIONS = 3000;

/**
 * A question that fits into an event. Nothing is lost: whatever is too long for its field moves to the end of the
 * detail, which is stored as a blob.
 */
export function fitAsked(asked: Asked<string>): Asked<string> {
  const { question, choices, descriptions } = asked;
  const moved: string[] = [];
  const described = Object.entries(descriptions).filter(([choice]) => choices.includes(choice));
  const isTooMuch = described.reduce((sum, [, text]) => sum + text.length, 0) > MAX_DESCRIPTIONS;
  if (question.length > MAX_QUESTION) moved.push(`The whole question:\n${question}`);
  if (choices.length > MAX_CHOICES) moved.push(`More choices:\n${listOf(choices.slice(MAX_CHOICES))}`);
  const offered = choices.slice(0, MAX_CHOICES);
  const long = offered.filter((choice) => choice.length > MAX_CHOICE);
  if (long.length > 0) moved.push(`Choices in full:\n${listOf(long)}`);
  if (isTooMuch) moved.push(`About the choices:\n${listOf(described.map(([choice, text]) => `${choice}: ${text}`))}`);
  if (moved.length === 0) return { ...asked, descriptions: Object.fromEntries(described) };
  return {
    ...asked,
    question: shorten(question, MAX_QUESTION),
    choices: offered.map((choice) => shorten(choice, MAX_CHOICE)),
    descriptions: isTooMuch
      ? {}
      : Object.fromEntries(described.map(([choice, text]) => [shorten(choice, MAX_CHOICE), text])),
    detail: addToDetail(asked.detail, moved),
  };
}

function addToDetail(detail: Asked<string>["detail"], moved: readonly string[]): QuestionDetail<string> {
  if (detail === null) return { format: "text", text: moved.join("\n\n") };
  return { ...detail, text: [detail.text, ...moved].join("\n\n") };
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join("\n");
}

function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const mark = "… (in full below)";
  return `${text.slice(0, max - mark.length)}${mark}`;
}
