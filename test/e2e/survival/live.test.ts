import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseEvents } from "../../../src/cli/client/event-stream.ts";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import type { SessionDetailView, SessionView } from "../../../src/protocol/views/session.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { open } from "./session.ts";

type Received = LiveMessage & { readonly id: string | null };

/** A page: it keeps a stream open, and asks again from where it was when the daemon goes away. */
function openPage(fleet: Fleet, since: number) {
  const received: Received[] = [];
  const over = new AbortController();
  let lastId = String(since);
  const connect = (): Promise<void> =>
    new Promise((resolve) => {
      const outgoing = request(
        { socketPath: fleet.socket, path: "/api/live", headers: { "last-event-id": lastId }, signal: over.signal },
        async (incoming) => {
          try {
            for await (const { id, event, data } of parseEvents(incoming)) {
              lastId = id ?? lastId;
              received.push({ id, event, data } as Received);
            }
          } catch {
            // The daemon was killed.
          }
          resolve();
        },
      );
      outgoing.on("error", () => setTimeout(resolve, 50));
      outgoing.end();
    });
  const follow = async (): Promise<void> => {
    while (!over.signal.aborted) await connect();
  };
  void follow();
  onTestFinished(() => over.abort());
  return { received, position: () => Number.parseInt(lastId, 10) };
}

const sessionsOf = (messages: readonly Received[]): readonly SessionView[] =>
  messages.flatMap((message) => (message.event === "session" ? [message.data] : []));

describe("the stream of changed views", () => {
  it("goes on after the daemon was killed, without a gap and without a repetition", async () => {
    const fleet = await makeFleet();
    await open(fleet);
    const { body: before } = await fleet.api<{ fleet: { position: number } }>("GET", "/api/sessions");
    const page = openPage(fleet, before.fleet.position);
    const prompt = (name: string): string => `${name}\n!busy 200\n!note half of ${name}\n!busy 400`;
    const ids: string[] = [];
    for (const title of ["one", "two"]) {
      const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title, prompt: prompt(title) });
      ids.push(body.id);
    }
    await until("the page to see both at work", () =>
      ids.every((id) => sessionsOf(page.received).some((one) => one.id === id && one.status === "working")),
    );
    await fleet.kill();
    await fleet.start();
    const isIdle = async (id: string): Promise<boolean> => (await fleet.session(id)).agentStatus === "idle";
    await until("both to end", async () => (await Promise.all(ids.map(isIdle))).every(Boolean));
    await until("the page to show what the list shows", async () => {
      const { body } = await fleet.api<{ data: SessionView[] }>("GET", "/api/sessions");
      const newest = new Map(sessionsOf(page.received).map((one) => [one.id, one]));
      return body.data.every((one) => JSON.stringify(newest.get(one.id)) === JSON.stringify(one));
    });
    expect(page.received.filter(({ event }) => event === "reset")).toEqual([]);
    const positions = page.received.flatMap(({ id }) => (id === null ? [] : [Number.parseInt(id, 10)]));
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    const views = sessionsOf(page.received).map((one) => JSON.stringify(one));
    expect(views.filter((view, n) => views.indexOf(view) !== n)).toEqual([]);
    const log = await Promise.all(
      ids.map((id) => fleet.api<{ data: { position: number }[] }>("GET", `/api/sessions/${id}/timeline`)),
    );
    const last = Math.max(...log.flatMap(({ body }) => body.data.map(({ position }) => position)));
    expect(page.position()).toBeGreaterThanOrEqual(last);
  });
});
