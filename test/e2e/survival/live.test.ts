import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseEvents, type ServerMessage } from "../../../src/cli/client/event-stream.ts";
import type { EventView } from "../../../src/protocol/views/event.ts";
import type { SessionDetailView, SessionView } from "../../../src/protocol/views/session.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { open } from "./session.ts";

/** A client that keeps a stream open, and resumes where it was after the daemon goes away. */
function follow(fleet: Fleet, path: string, since: number) {
  const received: ServerMessage[] = [];
  const over = new AbortController();
  let lastId = String(since);
  const connect = (): Promise<void> =>
    new Promise((resolve) => {
      const outgoing = request(
        { socketPath: fleet.socket, path, headers: { "last-event-id": lastId }, signal: over.signal },
        async (incoming) => {
          try {
            for await (const message of parseEvents(incoming)) {
              lastId = message.id ?? lastId;
              received.push(message);
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
  const stayConnected = async (): Promise<void> => {
    while (!over.signal.aborted) await connect();
  };
  void stayConnected();
  onTestFinished(() => over.abort());
  return { received, positions: () => received.flatMap(({ id }) => (id === null ? [] : [Number.parseInt(id, 10)])) };
}

const sessionsOf = (messages: readonly ServerMessage[]): readonly SessionView[] =>
  messages.flatMap(({ event, data }) => (event === "session" ? [data as SessionView] : []));

/** The log after a position, as one read from begin to end gives it. */
function readLog(fleet: Fleet, since: number): Promise<readonly EventView[]> {
  return new Promise((resolve, reject) => {
    const path = `/api/events?internal=true&follow=false&since=${since}`;
    request({ socketPath: fleet.socket, path }, async (incoming) => {
      const events: EventView[] = [];
      for await (const { data } of parseEvents(incoming)) events.push(data as EventView);
      resolve(events);
    })
      .on("error", reject)
      .end();
  });
}

describe("the streams of views and of events", () => {
  it("resume after a daemon kill without a gap or a repeat", async () => {
    const fleet = await makeFleet();
    await open(fleet);
    const { body: before } = await fleet.api<{ fleet: { position: number } }>("GET", "/api/sessions");
    const since = before.fleet.position;
    const page = follow(fleet, "/api/live", since);
    const events = follow(fleet, "/api/events?internal=true", since);
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
    const positions = page.positions();
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    const views = sessionsOf(page.received).map((one) => JSON.stringify(one));
    expect(views.filter((view, n) => views.indexOf(view) !== n)).toEqual([]);

    const log = await until("every event", async () => {
      const read = await readLog(fleet, since);
      return events.received.length >= read.length && read;
    });
    expect(events.received.slice(0, log.length).map(({ data }) => data)).toEqual(log);
    const ofSessions = log.filter(({ stream }) => ids.includes(stream.replace("session:", "")));
    const shown = ofSessions.findLast(({ type }) => type.startsWith("agent."))?.position ?? Number.POSITIVE_INFINITY;
    expect(page.positions().at(-1)).toBeGreaterThanOrEqual(shown);
  });
});
