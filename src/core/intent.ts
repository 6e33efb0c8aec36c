import type { StreamId } from "./stream.ts";

/** An effect that was decided: recorded with its cause, started before the first byte leaves, reconciled after a crash. */
export interface Intent {
  /** Made of what it is for, never of a log position; the same wish always has the same id. */
  readonly id: string;
  readonly stream: StreamId;
  /** Effects of one lane run one after another. */
  readonly lane: string;
  readonly spec: IntentSpec;
}

export type IntentSpec =
  | {
      readonly kind: "create-workspace";
      readonly sessionId: string;
      readonly generation: number;
      readonly restore: boolean;
    }
  | { readonly kind: "start-run"; readonly sessionId: string; readonly run: number; readonly messageId: string | null }
  | {
      readonly kind: "send-message";
      readonly sessionId: string;
      readonly run: number;
      readonly messageId: string;
      readonly attempt: number;
    }
  | { readonly kind: "end-run"; readonly sessionId: string; readonly run: number }
  | { readonly kind: "remove-workspace"; readonly sessionId: string; readonly generation: number };

export type IntentKind = IntentSpec["kind"];

/** What an executor reports; it comes back to the loop as an input. */
export type IntentOutcome =
  | {
      readonly kind: "workspace-created";
      readonly path: string;
      readonly branch: string;
      readonly head: string;
      readonly baseCommit: string;
      readonly restoredFrom: string | null;
      readonly notes: readonly string[];
    }
  | { readonly kind: "workspace-removed"; readonly preservedRef: string | null }
  | { readonly kind: "workspace-kept"; readonly reason: string }
  | { readonly kind: "run-started"; readonly pid: number }
  | { readonly kind: "run-ended"; readonly code: number | null; readonly evidence: string }
  /** In the agent's inbox or terminal. */
  | { readonly kind: "message-written" }
  /** Not tried, because it must wait (a person types, a question is open). */
  | { readonly kind: "message-held"; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly hint: string | null }
  /** Nobody can tell whether it happened; it is not tried again. */
  | { readonly kind: "unknown"; readonly reason: string };

export type IntentEvent =
  | { readonly type: "intent.recorded"; readonly id: string; readonly lane: string; readonly spec: IntentSpec }
  | { readonly type: "intent.started"; readonly id: string }
  | { readonly type: "intent.finished"; readonly id: string; readonly outcome: "done" | "failed" | "unknown" | "held" }
  | { readonly type: "intent.withdrawn"; readonly id: string };

/** The identity of a wish: stream, rule, occurrence and attempt, readable in a log and in AO_INTENT. */
export function intentId(stream: StreamId, rule: IntentKind, occurrence: string | number, attempt: number): string {
  return `${stream}/${rule}/${occurrence}/${attempt}`;
}
