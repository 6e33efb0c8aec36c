import type { Message, SessionState } from "./state.ts";
import { deriveStatus } from "./status.ts";

export interface WaitReason {
  readonly text: string;
  /** Only a person or a longer time resolves it, so waiting for it is pointless. */
  readonly lasts: boolean;
}

const LASTING = ["queued", "failed", "workspace-missing", "exited", "errored", "stopping", "stopped"];

/** Why a message is not on its way yet; null: it does not wait, or nothing holds it. */
export function deriveWaitReason(
  session: SessionState,
  message: Message,
  policy: { readonly paused: boolean },
): WaitReason | null {
  // The agent has it, and reports what it waits for.
  if (message.status === "written" && message.reason !== null) return { text: message.reason, lasts: true };
  if (message.status !== "queued") return null;
  if (message.reason !== null) return { text: message.reason, lasts: true };
  // Nothing holds it back.
  if (message.kind === "interrupt") return null;
  if (policy.paused) return { text: "everything is paused; `ao resume` continues", lasts: true };
  if (session.question !== null && message.kind !== "answer") {
    return { text: `the agent waits for an answer to its question; ao answer ${session.id}`, lasts: true };
  }
  const hasPlace = session.workspace.state === "ready" || session.workspace.state === "branch-missing";
  if (session.phase === "open" && hasPlace && session.run.state === "alive") {
    // A one-message program gets the next one when it has ended.
    return session.input === "file" ? { text: "the agent is working on an earlier message", lasts: false } : null;
  }
  const now = deriveStatus(session, policy);
  return { text: now.evidence, lasts: LASTING.includes(now.status) };
}
