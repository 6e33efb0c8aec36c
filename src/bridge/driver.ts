import type { PartlyAsked, QuestionKind } from "../core/question.ts";
import type { RateWindow } from "../core/rate-window.ts";
import type { Screen } from "./screen.ts";

/**
 * Connects the bridge to one vendor's program. A driver takes requests and reports what happened; the bridge handles order,
 * receipts, retries and memory in the same way for all drivers.
 */
export interface Driver {
  readonly capabilities: Capabilities;
  /**
   * Starts the program for a new conversation (null), or for one that an earlier process left. Settles when prompts can
   * be given; rejects, with one sentence for a person, when that will not come about.
   */
  open(conversation: string | null): Promise<void>;
  /** What the vendor's own records say about a prompt of an earlier process. Without it the bridge goes by its memory. */
  recall?(promptId: string): Promise<Recall>;
  /** Gives a prompt. Called while a turn runs only with the capability `midTurn`. Its fate comes by `accepted` and `ended`. */
  prompt(prompt: Prompt): void;
  /** Answers a question that was reported by `asked` and is still open: one of its choices, or other words if it takes those. */
  answer(questionId: string, answer: string): void;
  /** Asks the program to end its turn early; the end itself is reported by `ended`. */
  interrupt(): void;
  /** Ends the program and everything it started. Never rejects; nothing is reported after it. */
  close(): Promise<void>;
}

/** What a driver can do. */
export interface Capabilities {
  /** The program takes prompts while a turn runs; otherwise they wait in the bridge. */
  readonly midTurn: boolean;
  /** A conversation can be opened again by a new process. */
  readonly resume: boolean;
  /** After `open` with a conversation, the program resumes an unfinished turn itself; otherwise the bridge sends "go on". */
  readonly continues: boolean;
  /** The brief is in its system prompt; otherwise it follows the first prompt of each conversation. */
  readonly brief: boolean;
  /** A denial can tell the agent why; otherwise the bridge sends the reason as the next prompt. */
  readonly reasons: boolean;
}

/** A driver names what it can do beyond this. */
export const NO_CAPABILITIES: Capabilities = {
  midTurn: false,
  resume: false,
  continues: false,
  brief: false,
  reasons: false,
};

export interface Prompt {
  /** The message's id, or one of the bridge's own for "go on". The same text with the same id is the same prompt. */
  readonly id: string;
  readonly text: string;
}

/** absent: the vendor never had it; taken: it did, with its last words if that turn was finished. */
export type Recall =
  | { readonly kind: "absent" }
  | { readonly kind: "taken"; readonly answer: string | null }
  | { readonly kind: "unknown" };

/** How a turn ended. `limited` and `failed` need somebody or something else before the next one. */
export type TurnEnd =
  | { readonly kind: "finished"; readonly summary: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "limited"; readonly until: Date | null; readonly reason: string };

/** What the program asks; `detail` is the verbatim matter of a permission, as long as it may be. */
export interface Question extends PartlyAsked<string> {
  /** Unique in the session, also after a restart. */
  readonly id: string;
  readonly kind: QuestionKind;
}

/** A tool at work, for the transcript. */
export interface ToolUse {
  /** The vendor's; unique in the conversation. */
  readonly id: string;
  readonly name: string;
  /** What it is about: the whole command, the file. */
  readonly title: string;
  /** What else it was given, such as the text of a file; null: the title says it all. */
  readonly input: string | null;
}

export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
}

export interface UnknownNotice {
  /** The vendor's name for it. */
  readonly kind: string;
  /** All of it. */
  readonly body: unknown;
}

export interface Usage {
  /** All tokens that went in, cached ones included. */
  readonly inputTokens: number;
  /** The part of the input that came from a cache; 0 when the program does not say. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** 0 when the program does not say. */
  readonly costUsd: number;
  /** By the vendor's name; null when the program does not say. */
  readonly model: string | null;
}

/** How a driver says what happened. Calls are cheap, synchronous and in the order of the events. */
export interface Report {
  /**
   * The conversation's id, as soon as it is known, and before anything is given to it; whether it can be resumed, where the
   * program knows better than the driver.
   */
  conversation(id: string, can?: { readonly resume: boolean }): void;
  /** The vendor has this prompt for good: a resumed conversation would know of it. */
  accepted(promptId: string): void;
  /** A turn began without a prompt of ours, or goes on after a question; the note is what the program does now. */
  working(note?: string): void;
  /** The turn is over; once for each turn, after its last `used`. */
  ended(end: TurnEnd): void;
  asked(question: Question): void;
  /** The program takes its question back. */
  withdrawn(questionId: string): void;
  /** A prompt waits for something before the vendor can have it, such as a person who types. */
  held(promptId: string, reason: string): void;
  /** The program waits for a person in a way that cannot be answered from here. */
  stuck(note: string): void;
  /** Waiting for the vendor in the middle of a turn that will go on by itself. */
  limited(until: Date | null, reason: string): void;
  /** Tokens and money that were not reported before. */
  used(usage: Usage): void;
  /** All that this conversation has used so far; the bridge knows how much of it was told already. */
  usedInAll(usage: Usage): void;
  /** How much of the vendor's rate-limit windows is used. */
  windows(windows: readonly RateWindow[]): void;
  /** Words of the agent, for the transcript. */
  said(text: string): void;
  /** A tool is used. The same id again changes nothing. */
  tool(use: ToolUse): void;
  /** What came of a tool that was told; the first result counts. */
  toolResult(id: string, result: ToolResult): void;
  /** A person typed this at the program's own interface. */
  typed(text: string): void;
  /** Anything else that is worth a line of the transcript. */
  noted(text: string): void;
  /**
   * A message of the vendor that the driver does not know. It is logged whole, and noted in the transcript once for each kind;
   * kinds that are known and of no use are not reported.
   */
  unknown(notice: UnknownNotice): void;
  /** A person closed the program: nothing is begun again before there is something to do. */
  left(reason: string): void;
  /** The program is gone though nobody closed it; `ao` will start a new process for the conversation. */
  gone(reason: string): void;
}

/** Standing instructions of `ao` and the project, as a file and as its text. */
export interface Brief {
  readonly path: string;
  readonly text: string;
}

/** Where a driver works. */
export interface DriverSetup {
  /** From the command line, not checked yet. Never a secret: those come in the environment. */
  readonly settings: unknown;
  /** The workspace. */
  readonly cwd: string;
  /** For every program that the driver starts: it carries the mark by which leftovers are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder for files of this session (settings of one launch and the like), outside of the workspace. */
  readonly folder: string;
  readonly notes: Notes;
  /** The session's standing instructions; null: there are none. */
  readonly brief: Brief | null;
  readonly report: Report;
  /** The terminal for the vendor's own interface; null in structured mode. */
  readonly screen: Screen | null;
}

/** A driver's own few words that outlive the process; on disk when `set` returns. */
export interface Notes {
  get(name: string): string | null;
  set(name: string, value: string): void;
}

/** Makes a driver; throws AoError `config-invalid` when its settings are not valid. Starts nothing. */
export type CreateDriver = (setup: DriverSetup) => Driver;
