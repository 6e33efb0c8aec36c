import type { Prompt } from "../../driver.ts";
import type { NoteRequest } from "../../kit/reducer.ts";
import type { ErrorAnswer } from "../../kit/rpc.ts";
import { NO_SPEECH, type Speech } from "../../kit/speech.ts";
import type { Tool } from "../../kit/tool.ts";
import type { Choices, Opened } from "./handshake.ts";
import type { OpenQuestion, RespondRequest } from "./permissions.ts";
import type { Meter } from "./usage.ts";

export interface AcpState {
  readonly sessionId: string | null;
  /** Earlier updates are the replay of a loaded conversation, not news. */
  readonly isOpen: boolean;
  /** The mode that the agent is in, if it has modes. */
  readonly mode: string | null;
  readonly turn: Turn | null;
  readonly speech: Speech;
  readonly meter: Meter;
  readonly questions: readonly OpenQuestion[];
  /** By id; agents report a call in pieces. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools of this turn that were already reported. */
  readonly shown: ReadonlySet<string>;
  /** The last note about the plan. */
  readonly plan: string;
}

export interface Turn {
  readonly promptId: string;
  readonly isAccepted: boolean;
  readonly isInterrupted: boolean;
}

/** Everything that can happen to the driver. */
export type AcpNotice =
  /** The program is running; a known conversation will be replayed. */
  | { readonly kind: "started"; readonly known: string | null }
  | { readonly kind: "opened"; readonly opened: Omit<Opened, "state"> }
  /** Prompts are accepted. */
  | ({ readonly kind: "ready" } & Choices)
  | { readonly kind: "notified"; readonly method: string; readonly params: unknown }
  | AskedNotice
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "answered"; readonly answer: unknown; readonly now: Date }
  | { readonly kind: "refused"; readonly error: ErrorAnswer; readonly now: Date }
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt" };

/** The agent asks for something; `questionId` is for the resulting question, if any. */
export interface AskedNotice {
  readonly kind: "asked";
  readonly requestId: string | number;
  readonly questionId: string;
  readonly method: string;
  readonly params: unknown;
}

/** Requests to the shell. */
export type AcpRequest =
  | RespondRequest
  | NoteRequest
  | { readonly kind: "refuse"; readonly requestId: string | number; readonly code: number; readonly message: string }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "cancel" }
  /** A person's words in the replay of a loaded conversation. */
  | { readonly kind: "replayed"; readonly text: string };

/** The state before the program runs. */
export function initialState(meter: Meter): AcpState {
  return {
    sessionId: null,
    isOpen: false,
    mode: null,
    turn: null,
    speech: NO_SPEECH,
    meter,
    questions: [],
    tools: new Map(),
    shown: new Set(),
    plan: "",
  };
}
