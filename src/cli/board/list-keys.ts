import type { SessionView } from "../../protocol/views/session.ts";
import { currentPull } from "../views/session-row.ts";
import { openAnswer } from "./answer-keys.ts";
import { EMPTY_FIELD } from "./field.ts";
import type { Key } from "./key.ts";
import { openReading } from "./read-keys.ts";
import { type BoardState, type Mode, type Step, selectedSession, shownSessions } from "./state.ts";

/** How far Page Up and Page Down move in the list. */
const PAGE = 10;

const MOVES: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  pagedown: PAGE,
  "ctrl+d": PAGE,
  pageup: -PAGE,
  "ctrl+u": -PAGE,
  g: Number.NEGATIVE_INFINITY,
  home: Number.NEGATIVE_INFINITY,
  G: Number.POSITIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
};

/** Handles a key while the list has the focus. */
export function listKey(state: BoardState, key: Key): Step {
  const by = MOVES[key.name];
  if (by !== undefined) return move(state, by);
  switch (key.name) {
    case "q":
      return { state, effects: [{ type: "quit" }] };
    case "?":
      return openReading(state, { what: "help", sessionId: null, title: "Keys" });
    case "/":
      return enter(state, { kind: "filter", field: { before: state.filter, after: "" } });
    case "escape":
      return { state: { ...state, filter: "" }, effects: [] };
    case "v":
      return { state: { ...state, showStopped: !state.showStopped }, effects: [{ type: "list" }] };
    case "n":
      return askForTask(state);
    default: {
      const session = selectedSession(state);
      return session === undefined ? stay(state) : sessionKey(state, session, key);
    }
  }
}

function sessionKey(state: BoardState, session: SessionView, key: Key): Step {
  const { id: sessionId } = session;
  switch (key.name) {
    case "enter":
      return openReading(state, { what: "transcript", sessionId, title: session.title });
    case "d":
      return openReading(state, { what: "diff", sessionId, title: session.title });
    case "a":
      return askToAnswer(state, session);
    case "m":
      return enter(state, { kind: "ask", ask: "message", target: sessionId, field: EMPTY_FIELD });
    case "t":
    case "A":
      return { state, effects: [{ type: "attach", sessionId }] };
    case "s":
      return confirmStop(state, session);
    case "R":
      return act(state, "Restoring …", { kind: "restore", sessionId });
    case "p":
    case "r":
    case "M":
      return pullKey(state, session, key.name);
    default:
      return stay(state);
  }
}

function pullKey(state: BoardState, session: SessionView, key: "p" | "r" | "M"): Step {
  const pull = currentPull(session.pullRequests);
  if (pull === undefined || pull.phase !== "open") return refuse(state, `${session.id} has no open pull request.`);
  const { id: sessionId } = session;
  if (key === "p") return act(state, `Approving #${pull.number} …`, { kind: "approve", sessionId, head: pull.head });
  if (key === "r") return enter(state, { kind: "ask", ask: "request-changes", target: sessionId, field: EMPTY_FIELD });
  const blocked = pull.blockers.length === 0 ? "" : ` Blocked: ${pull.blockers.join(", ")}.`;
  const text = `Merge #${pull.number} into ${pull.base}?${blocked}`;
  return enter(state, { kind: "confirm", action: "merge", sessionId, text });
}

function confirmStop(state: BoardState, { id, status }: SessionView): Step {
  if (status === "stopped" || status === "merged") return refuse(state, `${id} is stopped already.`);
  return enter(state, {
    kind: "confirm",
    action: "stop",
    sessionId: id,
    text: `Stop ${id}? Uncommitted work is saved.`,
  });
}

function askToAnswer(state: BoardState, { id }: SessionView): Step {
  if (state.detail?.id === id) return openAnswer(state, state.detail);
  return { state: { ...state, answerNext: id }, effects: [{ type: "detail", sessionId: id }] };
}

function askForTask(state: BoardState): Step {
  const target = projectHere(state);
  if (target === undefined) return refuse(state, "No project yet. Run `ao start` in a repository.");
  return enter(state, { kind: "ask", ask: "new", target, field: EMPTY_FIELD }, [{ type: "projects" }]);
}

// The project of the folder that the board runs in, else of the selected session, else the first.
function projectHere(state: BoardState): string | undefined {
  const around = state.projects.filter(({ path }) => state.cwd === path || state.cwd.startsWith(`${path}/`));
  const [closest] = [...around].sort((a, b) => b.path.length - a.path.length);
  return closest?.id ?? selectedSession(state)?.projectId ?? state.projects[0]?.id;
}

function move(state: BoardState, by: number): Step {
  const shown = shownSessions(state);
  const row = shown.findIndex(({ id }) => id === state.selectedId);
  const session = shown[Math.max(0, Math.min(shown.length - 1, row + by))];
  if (session === undefined || session.id === state.selectedId) return stay(state);
  return {
    state: { ...state, selectedId: session.id, detail: null },
    effects: [{ type: "detail", sessionId: session.id }],
  };
}

function enter(state: BoardState, mode: Mode, effects: Step["effects"] = []): Step {
  return { state: { ...state, mode }, effects };
}

function act(
  state: BoardState,
  text: string,
  action: Extract<Step["effects"][number], { type: "act" }>["action"],
): Step {
  return { state: { ...state, notice: { tone: "info", text } }, effects: [{ type: "act", action }] };
}

function refuse(state: BoardState, text: string): Step {
  return { state: { ...state, notice: { tone: "error", text } }, effects: [] };
}

function stay(state: BoardState): Step {
  return { state, effects: [] };
}
