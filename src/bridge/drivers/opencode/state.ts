import type { Prompt, TurnEnd } from "../../driver.ts";
import type { NoteRequest, Step } from "../../kit/reducer.ts";
import type { PostRequest } from "./api.ts";
import { type Approvals, NO_APPROVALS } from "./approvals.ts";
import type { Opened } from "./handshake.ts";
import type { Failure, Message, PermissionRequest, QuestionRequest } from "./messages.ts";
import type { OwnRule, Place } from "./rules.ts";
import type { Settings } from "./settings.ts";
import type { Meter, Used } from "./usage.ts";

/** Everything the driver knows about its conversation. */
export interface OpencodeState {
  readonly settings: Settings;
  readonly place: Place;
  /** Null until the session is open: earlier events are irrelevant. */
  readonly sessionId: string | null;
  /** The session and those of its sub-agents. */
  readonly family: ReadonlySet<string>;
  /** Entries of the user's own configuration. */
  readonly own: readonly OwnRule[];
  /** Null between turns. */
  readonly turn: Turn | null;
  /** The number of turns so far; distinguishes two turns with the same prompt. */
  readonly turnCount: number;
  /** Message parts already reported in this turn. */
  readonly shown: ReadonlySet<string>;
  readonly meter: Meter;
  readonly approvals: Approvals;
}

export interface Turn {
  readonly number: number;
  /** Null: a person started it at the program's own screen. */
  readonly promptId: string | null;
  readonly isAccepted: boolean;
  readonly isRunning: boolean;
  readonly isInterrupted: boolean;
  /** Between two attempts of a request. */
  readonly isWaiting: boolean;
  /** The prompt should have been accepted long ago. */
  readonly isOverdue: boolean;
  readonly lastWords: string;
  readonly failure: Failure | null;
  /** How it ended; reported once the turn's usage is known. */
  readonly outcome: TurnEnd | null;
}

/** Anything that can happen to the driver. */
export type OpencodeNotice =
  /** `used`: usage of an earlier process that it may not have reported; null: no earlier process. */
  | { readonly kind: "opened"; readonly opened: Opened; readonly own: readonly OwnRule[]; readonly used: Used | null }
  | { readonly kind: "event"; readonly event: unknown }
  /** Events may have been missed. */
  | { readonly kind: "gap" }
  | InspectedNotice
  /** The last message, once the program is idle; `isAtWork`: it is not idle. */
  | { readonly kind: "end-read"; readonly isAtWork: boolean; readonly last: Message["info"] | null; readonly now: Date }
  | { readonly kind: "usage-read"; readonly used: Used }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "prompt-refused"; readonly turn: number; readonly reason: string }
  /** The prompt was sent a long time ago. */
  | { readonly kind: "prompt-overdue"; readonly turn: number }
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt" };

/** What the program's records say, whatever events were missed. */
export interface InspectedNotice {
  readonly kind: "inspected";
  readonly isAtWork: boolean;
  /** Our prompts among the last messages. */
  readonly promptIds: readonly string[];
  readonly permissions: readonly PermissionRequest[];
  readonly questions: readonly QuestionRequest[];
}

/** Something to read from the program; the resulting notice comes before all later events. */
export interface ReadRequest {
  readonly kind: "inspect" | "read-end" | "read-usage";
}

/** Requests to the shell. */
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

/** A turn at its start. */
export function newTurn(number: number, promptId: string | null): Turn {
  const flags = { isAccepted: false, isRunning: false, isInterrupted: false, isWaiting: false, isOverdue: false };
  return { number, promptId, ...flags, lastWords: "", failure: null, outcome: null };
}
