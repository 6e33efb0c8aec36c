import { describe, expect, it } from "vitest";
import { decodeSignal } from "../../src/core/lines-protocol.ts";
import { decideObservation } from "../../src/core/session/decide-observation.ts";
import type { SessionEvent } from "../../src/core/session/events.ts";
import type { SessionState } from "../../src/core/session/state.ts";
import { deriveStatus } from "../../src/core/session/status.ts";
import { storeSignal } from "../../src/engine/run-reader.ts";
import { afterEvents, aSession } from "../../src/testing/builders.ts";
import { listRecordings, type Recorded, readRecording } from "./support/state-recording.ts";
import { expectedAt, findFaults, type MomentName } from "./support/state-table.ts";

const TEXT = { inline: "do it" };

/** What `ao` itself does with a message on its way to the agent. */
function given(id: string, run: number, replyTo: string | null = null): readonly SessionEvent[] {
  const kind = replyTo === null ? "message" : "answer";
  return [
    { type: "message.queued", id, kind, replyTo, text: TEXT, bytes: 5 },
    { type: "message.written", id, run },
  ];
}

function startedAgain({ run }: SessionState): readonly SessionEvent[] {
  if (run.state !== "ended") return [];
  const n = run.n + 1;
  return [
    { type: "run.starting", run: n, messageId: null },
    { type: "run.started", run: n, pid: n },
  ];
}

async function hear(session: SessionState, line: string): Promise<SessionState> {
  const decoded = decodeSignal(line);
  if (decoded === null || decoded.kind === "windows") throw new Error(`${line} says nothing`);
  const signal = await storeSignal(decoded, async (inline) => ({ inline }));
  const isNew = signal.kind === "received" && !session.messages.some(({ id }) => id === signal.id);
  const ready = isNew ? afterEvents(session, given(signal.id, session.run.n)) : session;
  const observation = { type: "run.signals", sessionId: ready.id, run: ready.run.n, signals: [signal] } as const;
  return afterEvents(ready, decideObservation(ready, observation));
}

async function take(before: SessionState, row: Recorded): Promise<SessionState> {
  const session = afterEvents(before, startedAgain(before));
  if ("line" in row) return hear(session, row.line);
  if ("exit" in row) {
    const observation = { type: "run.exited", sessionId: session.id, run: session.run.n, ...row.exit } as const;
    return afterEvents(session, decideObservation(session, observation));
  }
  const questionId = String(session.question?.id);
  const messageId = `answer to ${questionId}`;
  const answered: SessionEvent = { type: "agent.answered", questionId, choice: row.answer, messageId };
  return afterEvents(session, [answered, ...given(messageId, session.run.n, questionId)]);
}

/** The moments of a recording, each with everything that led to it. */
function split(rows: readonly Recorded[]): readonly { readonly moment: MomentName; readonly upTo: number }[] {
  return rows.flatMap(({ moment }, n) => (rows[n + 1]?.moment === moment ? [] : [{ moment, upTo: n + 1 }]));
}

describe.each(listRecordings())("the state of %s, from its bridge's recorded output", (name) => {
  const rows = readRecording(name);

  it.each(split(rows))("is right at: $moment", async ({ moment, upTo }) => {
    let session = aSession();
    for (const row of rows.slice(0, upTo)) session = await take(session, row);
    const seen = { ...deriveStatus(session, { paused: false }), question: session.question };
    expect(findFaults(expectedAt(moment), seen)).toEqual([]);
  });
});

it("every agent has a recording that keeps every promise", () => {
  expect(listRecordings()).toEqual(
    expect.arrayContaining(["acp", "claude-code", "claude-code-terminal", "codex", "opencode"]),
  );
});
