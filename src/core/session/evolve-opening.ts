import { intentPrefix } from "../intent.ts";
import { sessionStream } from "../stream.ts";
import type { SessionEvent } from "./events.ts";
import type { Opening, SessionState } from "./state.ts";

type OpeningEvent = Extract<
  SessionEvent,
  { readonly type: "change.open-requested" | "change.open-failed" | "intent.finished" }
>;

const NONE: Opening = { request: null, reason: null, head: null, notBefore: 0, failures: 0, count: 0 };

/** Applies an event to a pull request that is being opened. */
export function evolveOpening(state: SessionState, event: OpeningEvent): SessionState {
  const { opening = NONE } = state;
  switch (event.type) {
    case "change.open-requested": {
      const { title, body, by } = event;
      return { ...state, opening: { ...opening, request: { title, body, by }, reason: null } };
    }
    case "change.open-failed": {
      const { head, reason, notBefore } = event;
      const failures = opening.head === head ? opening.failures + 1 : 1;
      return { ...state, opening: { ...opening, head, reason, notBefore, failures } };
    }
    // Whoever requested it learns how it ended; an unrequested failure is retried.
    case "intent.finished": {
      if (!event.id.startsWith(intentPrefix(sessionStream(state.id), "open-change"))) return state;
      const count = opening.count + 1;
      return {
        ...state,
        opening: event.outcome === "done" ? { ...NONE, count } : { ...opening, request: null, count },
      };
    }
  }
}
