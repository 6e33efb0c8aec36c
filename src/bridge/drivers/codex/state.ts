import type { Prompt } from "../../driver.ts";
import type { NoteRequest, Step } from "../../kit/reducer.ts";
import type { Opened } from "./handshake.ts";
import type { Item, RateLimits } from "./messages.ts";
import type { Settings } from "./settings.ts";
import type { Meter } from "./usage.ts";

export type RequestId = string | number;

/** Everything the driver knows about the conversation. */
export interface CodexState {
  readonly rules: Rules;
  readonly threadId: string | null;
  /** The running turn; null between turns. */
  readonly turn: OpenTurn | null;
  readonly limits: RateLimits | null;
  readonly meter: Meter;
  readonly approvals: Approvals;
  readonly isClosing: boolean;
}

/** What stays the same while the process lives. */
export interface Rules {
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  /** A person in the program's own interface gets the same questions; the first answer counts. */
  readonly isShared: boolean;
}

export interface OpenTurn {
  /** Null: a person started it in the terminal. */
  readonly promptId: string | null;
  /** Null until the program has reported it. */
  readonly id: string | null;
  readonly isInterrupted: boolean;
  readonly lastWords: string;
}

/** The program's requests that wait for a person, and what is known about their subject. */
export interface Approvals {
  readonly open: readonly OpenRequest[];
  /** Requests that only the program's own interface can answer. */
  readonly left: readonly RequestId[];
  /** By question, while other questions of the same request are unanswered. */
  readonly answers: Readonly<Record<string, string>>;
  /** By item: a question about files does not repeat the changes. */
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

/** Anything that can happen to the driver. */
export type CodexNotice =
  /** The thread of an earlier process, whose counts arrive before the answer to the resume request. */
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

/** The program asks for something; `questionId` is a new id for the resulting question, if any. */
export interface VendorRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly questionId: string;
}

/** Requests to the shell. */
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
