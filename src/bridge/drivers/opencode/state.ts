import type { Prompt, TurnEnd } from "../../driver.ts";
import type { NoteRequest, Step } from "../../kit/reducer.ts";
import type { PostRequest } from "./api.ts";
import { type Approvals, NO_APPROVALS } from "./approvals.ts";
import type { Opened } from "./handshake.ts";
import type { Failure, Message, PermissionRequest, QuestionRequest } from "./messages.ts";
import type { OwnRule, Place } from "./rules.ts";
import type { Settings } from "./settings.ts";
import type { Meter, Used } from "./usage.ts";

/** All that the driver knows about its conversation. */
export interface OpencodeState {
  readonly settings: Settings;
  readonly place: Place;
  /** Null until the session is open: events before that are of no use. */
  readonly sessionId: string | null;
  /** The session and those of its sub-agents. */
  readonly family: ReadonlySet<string>;
  /** Entries of the user's own configuration. */
  readonly own: readonly OwnRule[];
  /** Null between turns. */
  readonly turn: Turn | null;
  /** Turns so far, which tells two turns with the same prompt apart. */
  readonly turnCount: number;
  /** Parts of messages that were reported in this turn. */
  readonly shown: ReadonlySet<string>;
  readonly meter: Meter;
  readonly approvals: Approvals;
}

export interface Turn {
  readonly number: number;
  /** Null: a person began it at the program's own screen. */
  readonly promptId: string | null;
  readonly isAccepted: boolean;
  readonly isRunning: boolean;
  readonly isInterrupted: boolean;
  /** Between two tries of a request. */
  readonly isWaiting: boolean;
  /** The prompt should have been accepted long ago. */
  readonly isOverdue: boolean;
  readonly lastWords: string;
  readonly failure: Failure | null;
  /** How it ended; reported once it is known what the turn used. */
  readonly outcome: TurnEnd | null;
}

/** Anything that happens to the driver. */
export type OpencodeNotice =
  /** `used`: what an earlier process used and may not have reported; null: there was none. */
  | { readonly kind: "opened"; readonly opened: Opened; readonly own: readonly OwnRule[]; readonly used: Used | null }
  | { readonly kind: "event"; readonly event: unknown }
  /** Events may have been missed. */
  | { readonly kind: "gap" }
  | InspectedNotice
  /** The last message, once the program is idle; `isAtWork`: it is not. */
  | { readonly kind: "end-read"; readonly isAtWork: boolean; readonly last: Message["info"] | null; readonly now: Date }
  | { readonly kind: "usage-read"; readonly used: Used }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "prompt-refused"; readonly turn: number; readonly reason: string }
  /** The prompt was given a long time ago. */
  | { readonly kind: "prompt-overdue"; readonly turn: number }
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt" };

/** What the program's records say, whatever events were missed. */
export interface InspectedNotice {
  readonly kind: "inspected";
  readonly isAtWork: boolean;
  /** Prompts of ours among the last messages. */
  readonly promptIds: readonly string[];
  readonly permissions: readonly PermissionRequest[];
  readonly questions: readonly QuestionRequest[];
}

/** Something to ask the program; the notice that it brings comes before all events that follow. */
export interface ReadRequest {
  readonly kind: "inspect" | "read-end" | "read-usage";
}

/** What the shell does for the reducer. */
export type OpencodeRequest =
  | ReadRequest
  | PostRequest
  | NoteRequest
  | { readonly kind: "send-prompt"; readonly prompt: Prompt; readonly turn: number };

export type OpencodeStep = Step<OpencodeState, OpencodeRequest>;

/** The state before the server is started. */
export function initialState(settings: Settings, place: Place, meter: Meter): OpencodeState {
  return {
    ...{ settings, place, meter },
    ...{ sessionId: null, family: new Set(), own: [] },
    ...{ turn: null, turnCount: 0, shown: new Set(), approvals: NO_APPROVALS },
  };
}

/** A turn at its beginning. */
export function newTurn(number: number, promptId: string | null): Turn {
  const flags = { isAccepted: false, isRunning: false, isInterrupted: false, isWaiting: false, isOverdue: false };
  return { number, promptId, ...flags, lastWords: "", failure: null, outcome: null };
}
