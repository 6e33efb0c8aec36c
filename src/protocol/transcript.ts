import type { QuestionView } from "./question-view.ts";

/** One thing of a session's conversation, in order and never changed once told. */
export type TranscriptItem = {
  /** Unique in the session, and the same each time it is read. */
  readonly id: string;
  /** When it happened; null: nobody recorded it. */
  readonly at: string | null;
} & TranscriptContent;

export type TranscriptContent =
  /** The task or a message: from a person, from `ao` about a problem, or typed at the agent's own interface. */
  | {
      readonly kind: "message";
      readonly from: "person" | "ao" | "terminal";
      readonly text: string;
      /** Of one from `ao`: the problem, such as `ci-failed:unit`. */
      readonly about: string | null;
    }
  /** Words of the agent, in Markdown. */
  | { readonly kind: "say"; readonly text: string }
  /** A tool call; its `result` follows with the same `tool`. */
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly name: string;
      readonly title: string;
      /** What else it was given, such as the text of a file. */
      readonly input: string | null;
    }
  | {
      readonly kind: "result";
      readonly tool: string;
      readonly ok: boolean;
      readonly text: string;
      /** Characters that were left out. */
      readonly omitted: number;
    }
  /** One line that the agent's program printed, as it is. */
  | { readonly kind: "output"; readonly stream: "out" | "err"; readonly text: string }
  | { readonly kind: "question"; readonly question: QuestionView }
  | { readonly kind: "answer"; readonly questionId: string; readonly text: string }
  /** The turn is over; its last words, unless the agent said them before. */
  | { readonly kind: "end"; readonly outcome: "done" | "interrupted" | "failed"; readonly text: string | null }
  /** What happened around the agent: checks, reviews, merges, deaths, stops. */
  | { readonly kind: "event"; readonly type: string; readonly level: "info" | "good" | "bad"; readonly text: string };

/** A part of a transcript, oldest first. */
export interface TranscriptPage {
  readonly data: readonly TranscriptItem[];
  /** Opaque; ask with it for what comes after this page. */
  readonly cursor: string;
  /** Opaque; ask with it for what comes before this page; null: this is the beginning. */
  readonly older: string | null;
  /** The session is stopped, and this page goes to its end. */
  readonly over: boolean;
}
