import type { AnyEvent } from "../../core/event.ts";
import { isInternal } from "../../core/event-catalog.ts";
import { completeAsked } from "../../core/question.ts";
import type { StoredText } from "../../core/text.ts";
import type { StoredEvent } from "../../ports/store.ts";
import type { TranscriptContent } from "../../protocol/views/transcript.ts";
import { describeEvent } from "../event-text.ts";
import { publicName } from "../public-name.ts";
import { levelOf } from "./event-level.ts";

/** What completes an event's entry when a page is built. */
export interface DraftTools {
  /** Loads a long text. */
  textOf(text: StoredText): Promise<string>;
  /** Does the output before the event also contain this summary? */
  isRepeated(summary: string): Promise<boolean>;
}

/** An event's transcript entry, once its long texts are loaded. */
export type Draft = (tools: DraftTools) => Promise<TranscriptContent>;

export interface EventItems {
  /** Handles the events of a session in order; null: not shown. */
  take(stored: StoredEvent): Draft | null;
}

/** The arrival of a message that took longer than this is shown. */
const LATE_MS = 10_000;

/** Events that another item of the transcript already shows, or that do not matter in a conversation. */
const HIDDEN: ReadonlySet<string> = new Set<AnyEvent["type"]>([
  "session.requested",
  "session.admitted",
  "session.stop-requested",
  "workspace.creating",
  "run.starting",
  // Its note is shown where the agent printed it.
  "agent.reported",
  "agent.used",
  "change.updated",
  "reaction.sent",
  "reaction.withdrawn",
  "problem.gone",
  "problem.acknowledged",
  "label.added",
  "label.removed",
  "branch.settled",
  "issue.settled",
]);

/** Problems that are visible anyway: as a question, a red check, a review. */
const EVIDENT: ReadonlySet<string> = new Set([
  "agent-needs-input",
  "ci-failed",
  "changes-requested",
  "review-pending",
  "approved-and-green",
  "merge-conflict",
  "turn-failed",
]);

/** Converts the events of one session and its pull requests to transcript items. */
export function createEventItems(): EventItems {
  const queued = new Map<string, number>();
  const about = new Map<string, string>();
  let head: string | null = null;
  let lastEnd: End | null = null;

  const takeMessage = (event: EventOf<"message.queued">, at: number): Draft | null => {
    if (event.kind === "message") queued.set(event.id, at);
    if (event.kind === "answer") return null;
    if (event.kind === "interrupt") return asEvent(event);
    const problem = about.get(event.id) ?? null;
    // Reactions use these ids for their messages.
    const from = problem !== null || event.id.startsWith("r-") ? "ao" : "person";
    return async ({ textOf }) => ({ kind: "message", from, text: await textOf(event.text), about: problem });
  };

  const takeArrival = (id: string, at: number): Draft | null => {
    const since = queued.get(id);
    queued.delete(id);
    if (since === undefined || at - since < LATE_MS) return null;
    const text = `message delivered after ${describeWait(at - since)}`;
    return async () => ({ kind: "event", type: "message.accepted", level: "info", text });
  };

  const takeBranch = (event: EventOf<"branch.seen">): Draft | null => {
    const isNew = event.ahead > 0 && event.head !== head;
    head = event.head;
    return isNew ? asEvent(event) : null;
  };

  return {
    take: ({ event, at }) => {
      switch (event.type) {
        case "message.queued":
          return takeMessage(event, at);
        case "message.accepted":
          return takeArrival(event.id, at);
        case "reaction.sent":
          for (const id of [...(event.earlierIds ?? []), event.messageId]) about.set(id, event.problem);
          return null;
        case "agent.asked":
          return async ({ textOf }) => {
            const { detail, ...asked } = completeAsked(event);
            const shown = detail === null ? null : { format: detail.format, text: await textOf(detail.text) };
            return { kind: "question", question: { id: event.id, ...asked, detail: shown } };
          };
        case "agent.answered":
          return async () => ({ kind: "answer", questionId: event.questionId, text: event.choice });
        case "agent.finished":
          lastEnd = { summary: event.summary, isFailed: false };
          return takeEnd(lastEnd);
        case "agent.errored":
          if (event.reason !== lastEnd?.summary) return asEvent(event);
          lastEnd.isFailed = true;
          return null;
        case "branch.seen":
          return takeBranch(event);
        default:
          return isShown(event) ? asEvent(event) : null;
      }
    },
  };
}

type EventOf<T extends AnyEvent["type"]> = Extract<AnyEvent, { readonly type: T }>;

interface End {
  readonly summary: string;
  /** One commit reports a failed turn twice, as its end and as its failure. */
  isFailed: boolean;
}

function takeEnd(end: End): Draft {
  const { summary } = end;
  if (summary === "interrupted") return async () => ({ kind: "end", outcome: "interrupted", text: null });
  return async ({ isRepeated }) => {
    const text = summary === "" || (await isRepeated(summary)) ? null : summary;
    return { kind: "end", outcome: end.isFailed ? "failed" : "done", text };
  };
}

function isShown(event: AnyEvent): boolean {
  if (isInternal(event) || HIDDEN.has(event.type)) return false;
  switch (event.type) {
    case "problem.seen":
      return !EVIDENT.has(event.key);
    case "change.tried":
      return event.kind === "conflict";
    case "workspace.created":
      return event.generation > 1 || event.notes.length > 0;
    case "workspace.removed":
      return event.preservedRef !== null;
    case "run.started":
      return event.run > 1;
    case "run.ended":
      return event.code !== 0;
    default:
      return true;
  }
}

function asEvent(event: AnyEvent): Draft {
  const content: TranscriptContent = {
    kind: "event",
    type: publicName(event.type),
    level: levelOf(event),
    text: describeEvent(event),
  };
  return async () => content;
}

function describeWait(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
