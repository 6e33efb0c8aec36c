import type { LimitCause } from "../core/agent-signal.ts";
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
   * Starts the program for a new conversation (null), or for one of an earlier process. Resolves when the program
   * accepts prompts; rejects, with one sentence for a person, if it never will.
   */
  open(conversation: string | null): Promise<void>;
  /**
   * What the vendor's own records say about a prompt of an earlier process. Absent: the bridge relies on its memory.
   */
  recall?(promptId: string): Promise<Recall>;
  /**
   * Sends a prompt. During a turn it is only called with the capability `midTurn`. `accepted` and `ended` report what
   * became of it.
   */
  prompt(prompt: Prompt): void;
  /** Answers an open question reported by `asked`: with one of its choices, or with free text if it allows that. */
  answer(questionId: string, answer: string): void;
  /** Asks the program to end its turn early; `ended` reports the end. */
  interrupt(): void;
  /** Ends the program and everything it started. Never rejects; reports nothing afterwards. */
  close(): Promise<void>;
}

/** What a driver can do. */
export interface Capabilities {
  /** The program accepts prompts during a turn; otherwise they wait in the bridge. */
  readonly midTurn: boolean;
  /** A new process can open the conversation again. */
  readonly resume: boolean;
  /** After `open` with a conversation, the program resumes an unfinished turn itself; otherwise the bridge sends "go on". */
  readonly continues: boolean;
  /** The brief is in its system prompt; otherwise it follows the first prompt of each conversation. */
  readonly brief: boolean;
  /** A denial can carry a reason; otherwise the bridge sends it as the next prompt. */
  readonly reasons: boolean;
}

/** The default; a driver lists what it can do beyond this. */
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

/** absent: the vendor never got it; taken: it did, with its last words if that turn finished. */
export type Recall =
  | { readonly kind: "absent" }
  | { readonly kind: "taken"; readonly answer: string | null }
  | { readonly kind: "unknown" };

/**
 * How a turn ended. `limited` and `unavailable` pass, and the turn then continues; `failed` needs somebody before the next
 * turn.
 */
export type TurnEnd =
  | { readonly kind: "finished"; readonly summary: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "limited"; readonly until: Date | null; readonly reason: string }
  /** The model service failed, or could not be reached. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** What the program asks; `detail` is the verbatim subject of a permission, in full length. */
export interface Question extends PartlyAsked<string> {
  /** Unique in the session, even after a restart. */
  readonly id: string;
  readonly kind: QuestionKind;
}

/** A tool call, for the transcript. */
export interface ToolUse {
  /** The vendor's id; unique in the conversation. */
  readonly id: string;
  readonly name: string;
  /** The subject: the whole command, the file. */
  readonly title: string;
  /** Its other input, such as the text of a file; null if the title says everything. */
  readonly input: string | null;
}

export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
}

export interface UnknownNotice {
  /** The vendor's name for it. */
  readonly kind: string;
  /** The whole message. */
  readonly body: unknown;
}

export interface Usage {
  /** All input tokens, including cached ones. */
  readonly inputTokens: number;
  /** The part of the input that came from a cache; 0 if the program does not report it. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** 0 if the program does not report it. */
  readonly costUsd: number;
  /** The vendor's name; null if the program does not report it. */
  readonly model: string | null;
}

/** How a driver reports what happened. Calls are cheap, synchronous and in the order of the events. */
export interface Report {
  /**
   * The conversation's id, as soon as it is known and before anything is sent to it; also whether it can be resumed, if
   * the program knows better than the driver.
   */
  conversation(id: string, can?: { readonly resume: boolean }): void;
  /** The vendor has saved this prompt: a resumed conversation would include it. */
  accepted(promptId: string): void;
  /** A turn started without our prompt, or continues after a question; the note is what the program is doing. */
  working(note?: string): void;
  /** The turn is over; once for each turn, after its last `used`. */
  ended(end: TurnEnd): void;
  asked(question: Question): void;
  /** The program withdraws its question. */
  withdrawn(questionId: string): void;
  /** A prompt cannot be delivered yet, for example because a person is typing. */
  held(promptId: string, reason: string): void;
  /** The program waits for a person in a way that cannot be answered through `ao`. */
  stuck(note: string): void;
  /** Waiting for the vendor during a turn that will continue by itself. */
  limited(until: Date | null, reason: string, cause?: LimitCause): void;
  /** Tokens and money not reported before. */
  used(usage: Usage): void;
  /** The total usage of this conversation so far; the bridge knows how much of it was already reported. */
  usedInAll(usage: Usage): void;
  /** How much of the vendor's rate-limit windows is used. */
  windows(windows: readonly RateWindow[]): void;
  /** Words of the agent, for the transcript. */
  said(text: string): void;
  /** The program uses a tool. Repeating an id changes nothing. */
  tool(use: ToolUse): void;
  /** The result of a reported tool; the first result counts. */
  toolResult(id: string, result: ToolResult): void;
  /** A person typed this at the program's own interface. */
  typed(text: string): void;
  /** Anything else that is worth a line of the transcript. */
  noted(text: string): void;
  /**
   * A message that the driver does not know. It is logged completely, and noted in the transcript once per kind; known
   * but irrelevant kinds are not reported.
   */
  unknown(notice: UnknownNotice): void;
  /** A person closed the program: nothing restarts until there is something to do. */
  left(reason: string): void;
  /** The program ended unexpectedly; `ao` will start a new process for the conversation. */
  gone(reason: string): void;
}

/** Standing instructions from `ao` and the project, as a file and as text. */
export interface Brief {
  readonly path: string;
  readonly text: string;
}

/** What a driver is given. */
export interface DriverSetup {
  /** From the command line, not validated yet. Never a secret: secrets come in the environment. */
  readonly settings: unknown;
  /** The workspace. */
  readonly cwd: string;
  /** For every program that the driver starts: carries the mark that identifies leftovers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder for this session's files (such as the settings of one launch), outside the workspace. */
  readonly folder: string;
  readonly notes: Notes;
  /** The session's standing instructions, or null. */
  readonly brief: Brief | null;
  readonly report: Report;
  /** The terminal for the vendor's own interface; null in structured mode. */
  readonly screen: Screen | null;
}

/** A driver's small values that survive the process; on disk when `set` returns. */
export interface Notes {
  get(name: string): string | null;
  set(name: string, value: string): void;
}

/** Creates a driver; throws AoError `config-invalid` if its settings are invalid. Starts nothing. */
export type CreateDriver = (setup: DriverSetup) => Driver;
