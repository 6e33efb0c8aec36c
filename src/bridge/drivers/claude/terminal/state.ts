import { z } from "zod";
import type { Notes, Prompt, TurnEnd, Usage } from "../../../driver.ts";
import type { Step } from "../../../kit/reducer.ts";
import { type Inquiries, NO_INQUIRIES } from "../inquiries.ts";
import type { Inquiry } from "../permission.ts";
import type { Entry } from "../transcript.ts";
import type { HookEvent } from "./hooks.ts";
import type { OwnStatus } from "./own-status.ts";

/** All that the driver in a terminal knows about the conversation. */
export interface TerminalState {
  readonly conversation: string;
  /** When the turn that runs began; null between turns. */
  readonly turnSince: number | null;
  /** The turn was interrupted at the keyboard, and its input line is being cleared. */
  readonly isClearing: boolean;
  /** The last prompt that was typed, and whether the program has yet to take it. */
  readonly typed: TypedPrompt | null;
  readonly isTypedAwaited: boolean;
  /** Given, and not taken by the program yet; an interrupt that comes before that waits for it. */
  readonly given: { readonly id: string; readonly isInterrupted: boolean } | null;
  readonly requests: Inquiries<HookRequest>;
  /** What the agent said last in this turn. */
  readonly lastWords: string;
  readonly isClosing: boolean;
}

/** A tool that waits for a person, who may answer here or at the keyboard. */
export interface HookRequest extends Inquiry {
  /** The number of its event, whose script waits. */
  readonly n: number;
  readonly tool: string;
  readonly askedAt: number;
  /** Asked beside others: which of them was answered shows by their tools alone. */
  readonly isCrowded: boolean;
}

const TypedPrompt = z.object({
  id: z.string(),
  text: z.string(),
  /** How many entries the transcript had before. */
  from: z.number(),
  /** Of its entry in the transcript, once the program took it. */
  uuid: z.string().nullable().default(null),
});
/** A prompt as it was typed: after a crash the transcript shows whether the program took it. */
export type TypedPrompt = z.infer<typeof TypedPrompt>;

/** Anything that happens to the driver. `entries` are those that are new in the transcript. */
export type TerminalNotice =
  | { readonly kind: "opened"; readonly conversation: string }
  | HookNotice
  | { readonly kind: "unknown"; readonly text: string }
  | { readonly kind: "status"; readonly own: OwnStatus; readonly entries: readonly Entry[]; readonly now: number }
  | { readonly kind: "input-cleared"; readonly since: number }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  /** About to be typed, in these words. */
  | { readonly kind: "typing"; readonly id: string; readonly text: string; readonly from: number }
  | { readonly kind: "held"; readonly id: string; readonly reason: string }
  | { readonly kind: "prompt-found"; readonly id: string; readonly uuid: string | null }
  /** All that the program writes about a turn is in its transcript. */
  | ({ readonly kind: "turn-saved"; readonly how: TurnEnd; readonly entries: readonly Entry[] } & Used)
  | ({ readonly kind: "used-before" } & Used)
  | { readonly kind: "answer"; readonly questionId: string; readonly choice: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "ended"; readonly how: string; readonly code: number | null }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "close" };

/** Claude Code ran a hook. */
export interface HookNotice {
  readonly kind: "hook";
  readonly n: number;
  readonly event: HookEvent;
  /** The questions that it means, where a tool waits for permission. */
  readonly inquiry: Inquiry | null;
  readonly entries: readonly Entry[];
  /** What the program says of itself, where no turn is known; null: it does not say. */
  readonly own: OwnStatus | null;
  readonly now: number;
}

interface Used {
  readonly usages: readonly Usage[];
  readonly last: string | null;
}

/** What the shell does for the reducer. */
export type TerminalRequest =
  /** Reads the transcript of this conversation from now on. */
  | { readonly kind: "follow"; readonly conversation: string }
  | { readonly kind: "begun" }
  | { readonly kind: "type"; readonly prompt: Prompt }
  /** Looks for a prompt that the program took in its transcript. */
  | { readonly kind: "find-prompt"; readonly typed: TypedPrompt }
  /** Waits until the transcript has all of a turn. */
  | { readonly kind: "save-turn"; readonly how: TurnEnd }
  | { readonly kind: "press-escape"; readonly since: number }
  | { readonly kind: "clear-input"; readonly since: number }
  /** Lets the script of an event continue and print this, or nothing. */
  | { readonly kind: "release"; readonly n: number; readonly answer: string | null }
  | { readonly kind: "note"; readonly name: string; readonly value: string };

export type TerminalStep = Step<TerminalState, TerminalRequest>;

export const TYPED_NOTE = "claude.typed";

/** The state before the program is started. */
export function initialState(notes: Pick<Notes, "get">): TerminalState {
  const text = notes.get(TYPED_NOTE);
  return {
    conversation: "",
    turnSince: null,
    isClearing: false,
    typed: text === null ? null : (TypedPrompt.safeParse(JSON.parse(text)).data ?? null),
    isTypedAwaited: false,
    given: null,
    requests: NO_INQUIRIES,
    lastWords: "",
    isClosing: false,
  };
}
