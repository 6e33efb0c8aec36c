import type { Prompt, Usage } from "../../driver.ts";
import type { Step } from "../../kit/reducer.ts";
import type { ClaudeEvent } from "./events.ts";
import { type Inquiries, NO_INQUIRIES } from "./inquiries.ts";
import type { Inquiry } from "./permission.ts";
import type { AwaitedPrompt } from "./receipt.ts";

/** All that the driver by lines knows about the conversation. */
export interface ClaudeState {
  /** A turn runs whose prompt the program has. */
  readonly isRunning: boolean;
  readonly isInterrupted: boolean;
  readonly awaited: AwaitedPrompt | null;
  readonly inquiries: Inquiries;
  /** When the service takes requests again. */
  readonly resetsAt: Date | null;
  /** What the process has cost so far. */
  readonly cost: number;
  readonly model: string | null;
  /** The last message of the model, whose usage is reported with the next result. */
  readonly lastMessage: string | null;
  readonly isClosing: boolean;
}

/** Anything that happens to the driver. */
export type ClaudeNotice =
  /** The program printed something; with the questions that it means, where it is a request for a tool. */
  | { readonly kind: "event"; readonly event: ClaudeEvent; readonly inquiry: Inquiry | null; readonly now: number }
  | { readonly kind: "unknown"; readonly type: string; readonly body: unknown }
  /** What an earlier process used and did not report. */
  | { readonly kind: "used-before"; readonly usages: readonly Usage[]; readonly last: string | null }
  | { readonly kind: "prompt"; readonly prompt: Prompt; readonly uuid: string }
  /** Is the awaited prompt in the transcript? */
  | { readonly kind: "transcript-read"; readonly isSaved: boolean; readonly now: number }
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt"; readonly requestId: string }
  | { readonly kind: "close" };

/** What the shell does for the reducer. */
export type ClaudeRequest =
  | { readonly kind: "send"; readonly message: Readonly<Record<string, unknown>> }
  /** The program takes prompts from now on. */
  | { readonly kind: "opened" }
  /** Reads the transcript now, and again and again until no prompt is awaited. */
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
