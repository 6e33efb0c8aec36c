import type { EventType } from "../event.ts";
import type { SessionEvent } from "./events.ts";
import type { LiveReport } from "./live-report.ts";
import { runtimeOfRun, type SessionState } from "./state.ts";

/** Events that only happen because the agent itself reported or did something. */
const SIGNS: ReadonlySet<EventType> = new Set<SessionEvent["type"]>([
  "agent.reported",
  "agent.asked",
  "agent.used",
  "agent.finished",
  "agent.limited",
  "agent.errored",
  "agent.output-seen",
  "question.withdrawn",
  "conversation.known",
  "message.waiting",
]);

/** Does this event show that the agent was alive? What `ao` does to it shows nothing. */
export function isSignOfLife(event: SessionEvent): boolean {
  return SIGNS.has(event.type) || (event.type === "message.accepted" && event.by === "received");
}

/** Where ao's signals of an agent come from: its protocol, its hooks, or its terminal output. */
export type SignalSource = "protocol" | "hook" | "terminal";

export interface Signal {
  readonly at: number;
  readonly source: SignalSource;
}

/** The last sign of life of a session's agent, from the log or newer; null: none yet. */
export function lastSignal(session: SessionState, report: LiveReport | null): Signal | null {
  const logged = session.signalAt ?? (session.run.progressed ? session.activity.at : 0);
  const at = Math.max(logged, report !== null && report.run === session.run.n ? report.at : 0);
  return at === 0 ? null : { at, source: sourceOf(session) };
}

// A vendor's own interface in a terminal reports through hooks; an agent that is only typed to is read from its screen.
function sourceOf(session: SessionState): SignalSource {
  if (session.input === "terminal") return "terminal";
  return runtimeOfRun(session).plugin === "tmux" ? "hook" : "protocol";
}
