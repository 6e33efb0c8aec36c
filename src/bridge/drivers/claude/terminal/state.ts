import { z } from "zod";
import type { Notes, Prompt, TurnEnd, Usage } from "../../../driver.ts";
import type { Step } from "../../../kit/reducer.ts";
import { type Inquiries, NO_INQUIRIES } from "../inquiries.ts";
import type { Inquiry } from "../permission.ts";
import type { Entry } from "../transcript.ts";
import type { HookEvent } from "./hooks.ts";
import type { OwnStatus } from "./own-status.ts";

/** Everything the terminal driver knows about the conversation. */
export interface TerminalState {
  readonly conversation: string;
  /** When the running turn started; null between turns. */
  readonly turnSince: number | null;
  /** The turn was interrupted at the keyboard, and its input line is being cleared. */
  readonly isClearing: boolean;
  /** The last typed prompt, and whether the program has yet to take it. */
  readonly typed: TypedPrompt | null;
  readonly isTypedAwaited: boolean;
  /** Sent, but not yet taken by the program; an interrupt that comes before that waits for it. */
  readonly given: { readonly id: string; readonly isInterrupted: boolean } | null;
  readonly requests: Inquiries<HookRequest>;
  /** The agent's last words in this turn. */
  readonly lastWords: string;
  readonly isClosing: boolean;
}

/** A tool that waits for a person, who may answer through `ao` or at the keyboard. */
export interface HookRequest extends Inquiry {
  /** The number of its event, whose script waits. */
  readonly n: number;
  readonly tool: string;
  readonly askedAt: number;
  /** Asked alongside others: only the tools that run show which of them was answered. */
  readonly isCrowded: boolean;
}

const TypedPrompt = z.object({
  id: z.string(),
  text: z.string(),
  /** How many entries the transcript had before. */
  from: z.number(),
  /** The uuid of its transcript entry, once the program took it. */
  uuid: z.string().nullable().default(null),
});
/** A prompt as typed: after a crash the transcript shows whether the program took it. */
export type TypedPrompt = z.infer<typeof TypedPrompt>;

/** Anything that can happen to the driver. `entries` are new in the transcript. */
export type TerminalNotice =
  | { readonly kind: "opened"; readonly conversation: string }
  | HookNotice
  | { readonly kind: "unknown"; readonly text: string }
  | { readonly kind: "status"; readonly own: OwnStatus; readonly entries: readonly Entry[]; readonly now: number }
  | { readonly kind: "input-cleared"; readonly since: number }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  /** About to be typed, with this text. */
  | { readonly kind: "typing"; readonly id: string; readonly text: string; readonly from: number }
  | { readonly kind: "held"; readonly id: string; readonly reason: string }
  | { readonly kind: "prompt-found"; readonly id: string; readonly uuid: string | null }
  /** The transcript contains everything about a turn. */
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
  /** The resulting questions, if a tool waits for permission. */
  readonly inquiry: Inquiry | null;
  readonly entries: readonly Entry[];
  /** The program's own status if no turn is known; null if there is none. */
  readonly own: OwnStatus | null;
  readonly now: number;
}

interface Used {
  readonly usages: readonly Usage[];
  readonly last: string | null;
}

/** Requests to the shell. */
export type TerminalRequest =
  /** Starts reading the transcript of this conversation; `isSwitch` if a person chose it in the interface. */
  | { readonly kind: "follow"; readonly conversation: string; readonly isSwitch: boolean }
  | { readonly kind: "begun" }
  | { readonly kind: "type"; readonly prompt: Prompt }
  /** Looks in the transcript for a prompt that the program took. */
  | { readonly kind: "find-prompt"; readonly typed: TypedPrompt }
  /** Waits until the transcript contains the whole turn. */
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
