import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import type { MessageView, SessionDetailView } from "../../../src/protocol/views/session.ts";
import { PATIENCE_MS } from "../../../src/testing/patience.ts";
import type { Fleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";

/** Starts the daemon and registers the fleet's repository. */
export async function open(fleet: Fleet): Promise<void> {
  await fleet.start();
  await fleet.write("POST", "/api/projects", { path: fleet.repo });
}

/** A session whose agent has confirmed its task and is done with it. */
export async function begin(fleet: Fleet, title: string, prompt = "task"): Promise<SessionDetailView> {
  const { body, status } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title, prompt });
  expect(status, JSON.stringify(body)).toBe(201);
  return reach(fleet, body.id, "done with its task", (session) => session.agentStatus === "idle");
}

/** Waits until a session is as described. */
export function reach(
  fleet: Fleet,
  id: string,
  what: string,
  isReached: (session: SessionDetailView) => boolean,
  limitMs = PATIENCE_MS,
): Promise<SessionDetailView> {
  let last: SessionDetailView | null = null;
  return until(
    `${id} to be ${what}`,
    async () => {
      last = await fleet.session(id);
      return isReached(last) ? last : false;
    },
    limitMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${JSON.stringify(last, null, 1)}`);
  });
}

/** Sends a message and waits for its receipt. */
export async function tell(fleet: Fleet, id: string, content: string): Promise<MessageView> {
  const sent = await fleet.write<{ messageId: string }>("POST", `/api/sessions/${id}/message`, { content });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  const session = await reach(fleet, id, `told ${content}`, ({ messages }) =>
    messages.some((message) => message.id === sent.body.messageId && message.delivery === "delivered"),
  );
  return session.messages.find((message) => message.id === sent.body.messageId) as MessageView;
}

/** The session's inbox items. */
export async function inboxOf(fleet: Fleet, id: string): Promise<readonly InboxView[]> {
  const { body } = await fleet.api<{ data: readonly InboxView[] }>("GET", "/api/inbox");
  return body.data.filter((item) => item.sessionId === id);
}

/** The types of a session's events, effects included. */
export async function eventsOf(fleet: Fleet, id: string): Promise<readonly string[]> {
  const path = `/api/sessions/${id}/timeline?internal=true`;
  const { body } = await fleet.api<{ data: readonly { type: string }[] }>("GET", path);
  return body.data.map((event) => event.type);
}

/** An agent's output so far, read from its file, without the daemon. */
export function printed(fleet: Fleet, id: string, run: number): string {
  return readFileSync(join(fleet.home, "sessions", id, "runs", String(run), "out"), "utf8");
}
