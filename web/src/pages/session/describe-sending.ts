import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";

type Facts = Pick<SessionDetailView, "status" | "agentStatus" | "question" | "runtime">;

/** What will happen to a message sent now. */
export function describeSending({ status, agentStatus, question }: Facts): {
  readonly note: string;
  readonly isOff: boolean;
} {
  if (status === "stopped" || status === "closed")
    return { note: "stopped; restore it to send a message", isOff: true };
  if (question !== null) return { note: "sends after your answer", isOff: false };
  return { note: NOTES[agentStatus] ?? "sends now", isOff: false };
}

const NOTES: Readonly<Record<string, string>> = {
  working: "sends now; the agent reads it after this turn",
  queued: "sends once a slot is free",
  paused: "sends after you resume",
  "rate-limited": "sends when the rate limit ends",
  preparing: "sends once the agent has started",
  starting: "sends once the agent has started",
  restarting: "sends once the agent has started",
};
