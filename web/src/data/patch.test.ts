import { describe, expect, it } from "vitest";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import { aSession } from "../../../test/support/session-views.ts";
import { patchSessions, type SessionList } from "./patch.ts";

const cost = aSession().cost;
const LIST: SessionList = {
  data: [aSession({ id: "a" }), aSession({ id: "b" })],
  fleet: { paused: false, pausedProjects: [], costToday: cost, position: 7 },
};
type Sent = Extract<LiveMessage, { readonly event: "session" }>["data"];
const patchSession = (list: SessionList, data: Sent) => patchSessions(list, { event: "session", data });
const ids = ({ data }: SessionList) => data.map(({ id }) => id);

describe("the list of sessions", () => {
  it("replaces a session in place, and keeps the others unchanged", () => {
    const after = patchSession(LIST, aSession({ id: "a", title: "New" }));
    expect(ids(after)).toEqual(["a", "b"]);
    expect(after.data[0]?.title).toBe("New");
    expect(after.data[1]).toBe(LIST.data[1]);
  });

  it("adds a new session and removes an ended one", () => {
    expect(ids(patchSession(LIST, aSession({ id: "c" })))).toEqual(["a", "b", "c"]);
    expect(ids(patchSession(LIST, { ...aSession({ id: "a" }), removed: true }))).toEqual(["b"]);
    expect(patchSession(LIST, { ...aSession({ id: "x" }), removed: true }).data).toBe(LIST.data);
  });

  it("applies a signal only to its session's row", () => {
    const signal = {
      sessionId: "b",
      activity: "running npm test",
      evidence: "e",
      lastSignalAt: "2026-01-01T00:00:09Z",
    };
    const after = patchSessions(LIST, { event: "signal", data: signal });
    expect(after.data[1]).toMatchObject({ activity: "running npm test", lastSignalAt: "2026-01-01T00:00:09Z" });
    expect(after.data[0]).toBe(LIST.data[0]);
    expect(patchSessions(LIST, { event: "signal", data: { ...signal, sessionId: "x" } })).toBe(LIST);
  });
});
