import type { SessionDetailView } from "../../protocol/views/session.ts";
import { renderQuestion } from "../views/question-view.ts";
import { style } from "../views/style.ts";
import { EMPTY_FIELD, edit, textOf } from "./field.ts";
import type { Key } from "./key.ts";
import { clampTop, scrollBy } from "./read-keys.ts";
import type { BoardState, Mode, Size, Step } from "./state.ts";

/** Keys that scroll even while typing. */
const SCROLLS: ReadonlySet<string> = new Set(["pageup", "pagedown", "up", "down"]);

/** Rows around a question: title, rule, input, notice, keys. */
const FRAME_ROWS = 5;

type Answering = Extract<Mode, { kind: "answer" }>;

/** How many lines of a question fit on the screen. */
export function answerRows({ rows }: Size): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** Opens the question of a session, or reports that it has none. */
export function openAnswer(state: BoardState, { id, question }: SessionDetailView): Step {
  if (question === null) {
    return { state: { ...state, notice: { tone: "error", text: `${id} has no open question.` } }, effects: [] };
  }
  const mode: Answering = { kind: "answer", sessionId: id, question, field: EMPTY_FIELD, top: 0 };
  return { state: { ...state, mode }, effects: [] };
}

/**
 * Handles a key while a question fills the screen: a number chooses, Enter sends, anything else is typed if free text
 * is allowed.
 */
export function answerKey(state: BoardState, mode: Answering, key: Key): Step {
  const typed = textOf(mode.field);
  if (key.name === "escape") return { state: { ...state, mode: { kind: "list" } }, effects: [] };
  if (key.name === "enter") return send(state, mode, typed);
  const mayType = mode.question.freeText && key.text !== null;
  const page = answerRows(state.size);
  const by = (typed === "" && !mayType) || SCROLLS.has(key.name) ? scrollBy(key, page) : null;
  if (by !== null) {
    const count = renderQuestion(mode.question, style({}), state.size.columns - 2).length;
    return { state: { ...state, mode: { ...mode, top: clampTop(mode.top + by, count, page) } }, effects: [] };
  }
  const isNumber = /^[1-9]$/.test(key.name) && Number(key.name) <= mode.question.choices.length;
  if (typed === "" && !isNumber && !mayType) return { state, effects: [] };
  return { state: { ...state, mode: { ...mode, field: edit(mode.field, key) } }, effects: [] };
}

/** The typed choice, by name or number, or null. */
export function chosen({ question }: Pick<Answering, "question">, typed: string): string | null {
  const text = typed.trim();
  const number = /^\d+$/.test(text) ? question.choices[Number(text) - 1] : undefined;
  return number ?? question.choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? null;
}

function send(state: BoardState, mode: Answering, typed: string): Step {
  const text = typed.trim();
  const choice = chosen(mode, text) ?? (mode.question.freeText && text !== "" ? text : null);
  if (choice === null) {
    const notice = { tone: "error", text: howToAnswer(mode) } as const;
    return { state: { ...state, mode: { ...mode, field: EMPTY_FIELD }, notice }, effects: [] };
  }
  const { sessionId, question } = mode;
  return {
    state: { ...state, mode: { kind: "list" }, notice: { tone: "info", text: "Answering …" } },
    effects: [{ type: "act", action: { kind: "answer", sessionId, questionId: question.id, choice } }],
  };
}

/** Describes what can be typed. */
export function howToAnswer({ question }: Pick<Answering, "question">): string {
  const { choices, freeText } = question;
  if (choices.length === 0) return "Type an answer.";
  const numbers = choices.length === 1 ? "1" : `1-${choices.length}`;
  return freeText ? `Choose ${numbers}, or type an answer.` : `Choose ${numbers}.`;
}
