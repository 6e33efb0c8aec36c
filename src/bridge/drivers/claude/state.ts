import type { Prompt, Usage } from "../../driver.ts";
import type { Step } from "../../kit/reducer.ts";
import type { ClaudeEvent } from "./events.ts";
import { type Inquiries, NO_INQUIRIES } from "./inquiries.ts";
import type { Inquiry } from "./permission.ts";
import type { AwaitedPrompt } from "./receipt.ts";

/** Everything the line-protocol driver knows about the conversation. */
export interface ClaudeState {
  /** A turn is running whose prompt the program has. */
  readonly isRunning: boolean;
  readonly isInterrupted: boolean;
  readonly awaited: AwaitedPrompt | null;
  readonly inquiries: Inquiries;
  /** When the service accepts requests again. */
  readonly resetsAt: Date | null;
  /** The cost of the process so far. */
  readonly cost: number;
  readonly model: string | null;
  /** The last message of the model, whose usage the next result reports. */
  readonly lastMessage: string | null;
  readonly isClosing: boolean;
}

/** Anything that can happen to the driver. */
export type ClaudeNotice =
  /** The program printed something; with its questions if it is a request for a tool. */
  | { readonly kind: "event"; readonly event: ClaudeEvent; readonly inquiry: Inquiry | null; readonly now: number }
  | { readonly kind: "unknown"; readonly type: string; readonly body: unknown }
  /** Usage of an earlier process that it did not report. */
  | { readonly kind: "used-before"; readonly usages: readonly Usage[]; readonly last: string | null }
  | { readonly kind: "prompt"; readonly prompt: Prompt; readonly uuid: string }
  /** Is the awaited prompt in the transcript? */
  | { readonly kind: "transcript-read"; readonly isSaved: boolean; readonly now: number }
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt"; readonly requestId: string }
  | { readonly kind: "close" };

/** Requests to the shell. */
export type ClaudeRequest =
  | { readonly kind: "send"; readonly message: Readonly<Record<string, unknown>> }
  /** The program accepts prompts from now on. */
  | { readonly kind: "opened" }
  /** Reads the transcript now, and then repeatedly until no prompt is awaited. */
  | { readonly kind: "watch-transcript" }
  | { readonly kind: "note"; readonly name: string; readonly value: string };

export type ClaudeStep = Step<ClaudeState, ClaudeRequest>;

/** The state before the program is started. */
export function initialState(lastMessage: string | null): ClaudeState {
  return {
    isRunning: false,
    isInterrupted: false,
    awaited: null,
    inquiries: NO_INQUIRIES,
    resetsAt: null,
    cost: 0,
    model: null,
    lastMessage,
    isClosing: false,
  };
}
