import type { SessionDetailView, SessionView } from "../../protocol/views/session.ts";
import { answerKey, openAnswer } from "./answer-keys.ts";
import { askKey, confirmKey, filterKey } from "./ask-keys.ts";
import type { Key } from "./key.ts";
import { listKey } from "./list-keys.ts";
import { fitReading, readKey } from "./read-keys.ts";
import {
  type BoardEffect,
  type BoardEvent,
  type BoardState,
  type Mode,
  type Size,
  type Step,
  shownSessions,
} from "./state.ts";

/** The board after an event, and the effects it wants. */
export function updateBoard(state: BoardState, event: BoardEvent): Step {
  switch (event.type) {
    case "key":
      return pressKey(state, event.key);
    case "resized":
      return { state: resize(state, event.size), effects: [{ type: "redraw" }] };
    case "listed":
      return takeList(state, event);
    case "detailed":
      return takeDetail(state, event.detail);
    case "projects":
      return { state: { ...state, projects: event.projects }, effects: [] };
    case "read":
      return { state: takeText(state, event), effects: [] };
    case "said":
      return { state: { ...state, notice: event.notice }, effects: [] };
    case "lost":
      return { state: { ...state, offline: event.reason }, effects: [] };
  }
}

function pressKey(state: BoardState, key: Key): Step {
  if (key.name === "ctrl+c") return { state, effects: [{ type: "quit" }] };
  if (key.name === "ctrl+z") return { state, effects: [{ type: "suspend" }] };
  if (key.name === "ctrl+l") return { state, effects: [{ type: "redraw" }, { type: "list" }] };
  // A notice stays until the next key, so that it can be read.
  const quiet = { ...state, notice: null };
  const { mode } = state;
  switch (mode.kind) {
    case "list":
      return listKey(quiet, key);
    case "filter":
      return filterKey(quiet, mode, key);
    case "ask":
      return askKey(quiet, mode, key);
    case "confirm":
      return confirmKey(quiet, mode, key);
    case "answer":
      return answerKey(quiet, mode, key);
    case "read":
      return readKey(quiet, mode.reading, key);
  }
}

function takeList(state: BoardState, event: Extract<BoardEvent, { type: "listed" }>): Step {
  const { sessions, fleet } = event;
  const next = keepSelection({ ...state, sessions, fleet, offline: null }, state);
  const effects: BoardEffect[] = [];
  if (state.fleet !== null && hasNewNeed(state.sessions, sessions)) effects.push({ type: "bell" });
  const before = state.sessions.find(({ id }) => id === next.selectedId);
  const now = sessions.find(({ id }) => id === next.selectedId);
  const isStale = next.detail?.id !== next.selectedId || JSON.stringify(before) !== JSON.stringify(now);
  if (now !== undefined && isStale) effects.push({ type: "detail", sessionId: now.id });
  const { mode } = next;
  if (mode.kind === "read" && mode.reading.what === "transcript" && mode.reading.sessionId !== null) {
    effects.push({ type: "read", what: "transcript", sessionId: mode.reading.sessionId });
  }
  return { state: next, effects };
}

// The cursor stays on its session; if that is gone, on its row.
function keepSelection(next: BoardState, before: BoardState): BoardState {
  const shown = shownSessions(next);
  if (shown.some(({ id }) => id === next.selectedId)) return next;
  const row = shownSessions(before).findIndex(({ id }) => id === before.selectedId);
  const session = shown[Math.min(Math.max(row, 0), shown.length - 1)];
  return { ...next, selectedId: session?.id ?? null, detail: null };
}

function hasNewNeed(before: readonly SessionView[], now: readonly SessionView[]): boolean {
  const known = new Set(before.map(needOf));
  return now.some((session) => session.attention !== null && !known.has(needOf(session)));
}

function needOf({ id, attention }: SessionView): string {
  return attention === null ? id : `${id} ${attention.kind} ${attention.at}`;
}

function takeDetail(state: BoardState, detail: SessionDetailView): Step {
  const next = detail.id === state.selectedId ? { ...state, detail } : state;
  const { mode } = next;
  if (next.answerNext === detail.id) return openAnswer({ ...next, answerNext: null }, detail);
  if (mode.kind !== "answer" || mode.sessionId !== detail.id || detail.question?.id === mode.question.id) {
    return { state: next, effects: [] };
  }
  // Nobody may answer a question they have not read.
  const text = detail.question === null ? "That question is no longer open." : "The agent asks something else now.";
  return { state: { ...next, mode: { kind: "list" }, notice: { tone: "error", text } }, effects: [] };
}

function takeText(state: BoardState, event: Extract<BoardEvent, { type: "read" }>): BoardState {
  const { mode } = state;
  if (mode.kind !== "read" || mode.reading.what !== event.what || mode.reading.sessionId !== event.sessionId)
    return state;
  const reading = { ...mode.reading, text: event.lines };
  return { ...state, mode: { kind: "read", reading: fitReading(reading, state.size.columns) } };
}

function resize(state: BoardState, size: Size): BoardState {
  const { mode } = state;
  const fitted: Mode = mode.kind === "read" ? { kind: "read", reading: fitReading(mode.reading, size.columns) } : mode;
  return { ...state, size, mode: fitted };
}
