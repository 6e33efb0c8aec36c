import type { FleetView } from "../../protocol/views/fleet.ts";
import type { QuestionView } from "../../protocol/views/question.ts";
import type { SessionDetailView, SessionView } from "../../protocol/views/session.ts";
import type { Field } from "./field.ts";
import type { Key } from "./key.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A text that fills the screen and can be scrolled. */
export interface Reading {
  readonly what: "transcript" | "diff" | "help";
  readonly sessionId: string | null;
  readonly title: string;
  /** null: still loading. */
  readonly text: readonly string[] | null;
  /** The text in lines that fit the screen. */
  readonly lines: readonly string[];
  readonly top: number;
  /** Stays at the end while more arrives. */
  readonly follow: boolean;
}

/** What a person is asked to type. */
export type Ask = "message" | "request-changes" | "new";

export type Mode =
  | { readonly kind: "list" }
  | { readonly kind: "filter"; readonly field: Field }
  /** `target` is a session, or the project of a new one. */
  | { readonly kind: "ask"; readonly ask: Ask; readonly target: string; readonly field: Field }
  | { readonly kind: "confirm"; readonly action: "merge" | "stop"; readonly sessionId: string; readonly text: string }
  | {
      readonly kind: "answer";
      readonly sessionId: string;
      readonly question: QuestionView;
      readonly field: Field;
      readonly top: number;
    }
  | { readonly kind: "read"; readonly reading: Reading };

/** What a person asks the daemon to do. */
export type Action =
  | { readonly kind: "answer"; readonly sessionId: string; readonly questionId: string; readonly choice: string }
  | { readonly kind: "message"; readonly sessionId: string; readonly text: string }
  /** For the commit that was on the screen. */
  | { readonly kind: "approve"; readonly sessionId: string; readonly head: string }
  | { readonly kind: "request-changes"; readonly sessionId: string; readonly head: string; readonly text: string }
  | { readonly kind: "merge" | "stop" | "restore"; readonly sessionId: string }
  | { readonly kind: "new"; readonly projectId: string; readonly title: string };

export interface Notice {
  readonly tone: "info" | "error";
  readonly text: string;
}

export interface BoardState {
  readonly size: Size;
  /** In list order, unfiltered. */
  readonly sessions: readonly SessionView[];
  readonly fleet: FleetView | null;
  readonly projects: readonly { readonly id: string; readonly path: string }[];
  /** The folder that the board was opened in. */
  readonly cwd: string;
  readonly selectedId: string | null;
  /** Everything known about the selected session, once it is loaded. */
  readonly detail: SessionDetailView | null;
  readonly filter: string;
  readonly showStopped: boolean;
  readonly mode: Mode;
  readonly notice: Notice | null;
  /** The session whose question opens as soon as it is loaded. */
  readonly answerNext: string | null;
  /** Why there are no updates; null: connected. */
  readonly offline: string | null;
}

/** What happens to the board. */
export type BoardEvent =
  | { readonly type: "key"; readonly key: Key }
  | { readonly type: "resized"; readonly size: Size }
  | { readonly type: "listed"; readonly sessions: readonly SessionView[]; readonly fleet: FleetView }
  | { readonly type: "detailed"; readonly detail: SessionDetailView }
  | { readonly type: "projects"; readonly projects: BoardState["projects"] }
  | {
      readonly type: "read";
      readonly what: Reading["what"];
      readonly sessionId: string | null;
      readonly lines: readonly string[];
    }
  | { readonly type: "said"; readonly notice: Notice }
  | { readonly type: "lost"; readonly reason: string };

/** What the board wants done outside itself. */
export type BoardEffect =
  | { readonly type: "quit" | "suspend" | "redraw" | "list" | "projects" }
  | { readonly type: "detail"; readonly sessionId: string }
  | { readonly type: "read"; readonly what: "transcript" | "diff"; readonly sessionId: string }
  | { readonly type: "attach"; readonly sessionId: string }
  | { readonly type: "act"; readonly action: Action }
  /** Something new needs a person. */
  | { readonly type: "bell" };

export interface Step {
  readonly state: BoardState;
  readonly effects: readonly BoardEffect[];
}

/** The board before any update. */
export function initialBoard(size: Size, cwd: string): BoardState {
  return {
    size,
    sessions: [],
    fleet: null,
    projects: [],
    cwd,
    selectedId: null,
    detail: null,
    filter: "",
    showStopped: false,
    mode: { kind: "list" },
    notice: null,
    answerNext: null,
    offline: null,
  };
}

/** The sessions that match the filter; each word must occur in what the row shows. */
export function shownSessions({ sessions, filter }: BoardState): readonly SessionView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sessions;
  return sessions.filter((session) => {
    const { id, title, status, agent, issue, attention, activity } = session;
    const text = [id, title, status, agent, issue, attention?.kind, attention?.text, activity].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The session under the cursor. */
export function selectedSession(state: BoardState): SessionView | undefined {
  return state.sessions.find(({ id }) => id === state.selectedId);
}
