import { currentPull } from "../views/session-row.ts";
import { edit, textOf } from "./field.ts";
import type { Key } from "./key.ts";
import { type Action, type BoardState, type Mode, type Step, shownSessions } from "./state.ts";

const LIST: Mode = { kind: "list" };

/** Handles a key while the filter is typed; the list follows each letter. */
export function filterKey(state: BoardState, mode: Extract<Mode, { kind: "filter" }>, key: Key): Step {
  if (key.name === "escape") return select({ ...state, mode: LIST, filter: "" });
  if (key.name === "enter") return select({ ...state, mode: LIST });
  const field = edit(mode.field, key);
  return select({ ...state, mode: { ...mode, field }, filter: textOf(field) });
}

/** Handles a key while a message, a review or a new task is typed. */
export function askKey(state: BoardState, mode: Extract<Mode, { kind: "ask" }>, key: Key): Step {
  if (key.name === "escape") return { state: { ...state, mode: LIST }, effects: [] };
  if (key.name === "tab" && mode.ask === "new") {
    return { state: { ...state, mode: { ...mode, target: nextProject(state, mode.target) } }, effects: [] };
  }
  if (key.name !== "enter")
    return { state: { ...state, mode: { ...mode, field: edit(mode.field, key) } }, effects: [] };
  const text = textOf(mode.field).trim();
  if (text === "") return { state: { ...state, mode: LIST }, effects: [] };
  const action = toAction(state, mode, text);
  if (action === null) {
    const notice = { tone: "error", text: `${mode.target} has no open pull request.` } as const;
    return { state: { ...state, mode: LIST, notice }, effects: [] };
  }
  return {
    state: { ...state, mode: LIST, notice: { tone: "info", text: "Sending …" } },
    effects: [{ type: "act", action }],
  };
}

/** Handles a key while a person is asked for confirmation. */
export function confirmKey(state: BoardState, mode: Extract<Mode, { kind: "confirm" }>, key: Key): Step {
  const { action, sessionId } = mode;
  if (key.name !== "y" && key.name !== "Y") {
    return { state: { ...state, mode: LIST, notice: { tone: "info", text: "Canceled." } }, effects: [] };
  }
  const text = action === "merge" ? "Merging …" : "Stopping …";
  return {
    state: { ...state, mode: LIST, notice: { tone: "info", text } },
    effects: [{ type: "act", action: { kind: action, sessionId } }],
  };
}

function toAction(state: BoardState, mode: Extract<Mode, { kind: "ask" }>, text: string): Action | null {
  const { ask, target } = mode;
  if (ask === "new") return { kind: "new", projectId: target, title: text };
  if (ask === "message") return { kind: "message", sessionId: target, text };
  const session = state.sessions.find(({ id }) => id === target);
  const pull = currentPull(session?.pullRequests ?? []);
  return pull === undefined ? null : { kind: "request-changes", sessionId: target, head: pull.head, text };
}

function nextProject({ projects }: BoardState, id: string): string {
  const at = projects.findIndex((project) => project.id === id);
  return projects[(at + 1) % Math.max(1, projects.length)]?.id ?? id;
}

// Moves the cursor to the first row if the filter removed its row.
function select(state: BoardState): Step {
  const shown = shownSessions(state);
  if (shown.some(({ id }) => id === state.selectedId)) return { state, effects: [] };
  const [first] = shown;
  return {
    state: { ...state, selectedId: first?.id ?? null, detail: null },
    effects: first === undefined ? [] : [{ type: "detail", sessionId: first.id }],
  };
}
