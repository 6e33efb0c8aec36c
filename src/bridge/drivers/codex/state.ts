import type { Prompt } from "../../driver.ts";
import type { NoteRequest, Step } from "../../kit/reducer.ts";
import type { Opened } from "./handshake.ts";
import type { Item, RateLimits } from "./messages.ts";
import type { Settings } from "./settings.ts";
import type { Meter } from "./usage.ts";

export type RequestId = string | number;

/** All that the driver knows about the conversation. */
export interface CodexState {
  readonly rules: Rules;
  readonly threadId: string | null;
  /** The turn that runs; null between turns. */
  readonly turn: OpenTurn | null;
  readonly limits: RateLimits | null;
  readonly meter: Meter;
  readonly approvals: Approvals;
  readonly isClosing: boolean;
}

/** What does not change while the process lives. */
export interface Rules {
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  /** A person at the program's own interface gets the same questions, and whoever answers first has answered. */
  readonly isShared: boolean;
}

export interface OpenTurn {
  /** Null: a person began it, in the terminal. */
  readonly promptId: string | null;
  /** Null until the program has reported it. */
  readonly id: string | null;
  readonly isInterrupted: boolean;
  readonly lastWords: string;
}

/** The program's requests that wait for a person, and what is known about their matter. */
export interface Approvals {
  readonly open: readonly OpenRequest[];
  /** Requests that only the program's own interface can answer. */
  readonly left: readonly RequestId[];
  /** By question, while other questions of the same request have none. */
  readonly answers: Readonly<Record<string, string>>;
  /** By item: a question about files does not repeat what changes. */
  readonly changes: Readonly<Record<string, Item["changes"]>>;
}

export type OpenRequest = PermissionRequest | InputRequest;

interface PermissionRequest {
  readonly kind: "permission";
  readonly requestId: RequestId;
  readonly questionId: string;
  readonly hasAlways: boolean;
}

interface InputRequest {
  readonly kind: "input";
  readonly requestId: RequestId;
  /** The program's id of each question, and ours. */
  readonly questions: readonly { readonly id: string; readonly questionId: string }[];
}

/** Anything that happens to the driver. */
export type CodexNotice =
  /** The thread of an earlier process, whose counts come before the answer to its resumption. */
  | { readonly kind: "opening"; readonly threadId: string | null }
  | { readonly kind: "opened"; readonly thread: Opened }
  /** The program sent a notification. */
  | { readonly kind: "message"; readonly method: string; readonly params: unknown }
  | VendorRequest
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  /** The program's answer to a prompt. */
  | { readonly kind: "prompt-taken"; readonly promptId: string; readonly turnId: string }
  | { readonly kind: "prompt-refused"; readonly promptId: string; readonly reason: string }
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "close" };

/** The program asks for something; `questionId` is new, for the question that may come of it. */
export interface VendorRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly questionId: string;
}

/** What the shell does for the reducer. */
export type CodexRequest =
  | { readonly kind: "start-turn"; readonly prompt: Prompt }
  | { readonly kind: "interrupt-turn"; readonly turnId: string }
  | { readonly kind: "respond"; readonly requestId: RequestId; readonly result: object }
  | { readonly kind: "refuse"; readonly requestId: RequestId; readonly code: number; readonly message: string }
  | NoteRequest;

export type CodexStep = Step<CodexState, CodexRequest>;

export const NO_APPROVALS: Approvals = { open: [], left: [], answers: {}, changes: {} };

/** The state before the program is started. */
export function initialState(rules: Rules, meter: Meter): CodexState {
  const conversation = { threadId: null, turn: null, limits: null };
  return { rules, ...conversation, meter, approvals: NO_APPROVALS, isClosing: false };
}
