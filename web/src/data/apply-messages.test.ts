import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import { aSession } from "../../../test/support/session-views.ts";
import { applyMessages } from "./apply-messages.ts";
import { fetchPatched } from "./fetch-patched.ts";
import { activityQuery } from "./fleet-queries.ts";
import { patchSessions } from "./patch.ts";
import { pausesQuery, sessionsQuery } from "./queries.ts";

const signal = (sessionId: string, n: number): LiveMessage => ({
  event: "signal",
  data: { sessionId, activity: `step ${n}`, evidence: `step ${n}`, lastSignalAt: "2026-01-01T00:00:09Z" },
});

function fill(): QueryClient {
  const queries = new QueryClient();
  const data = [aSession({ id: "a" }), aSession({ id: "b" })];
  const fleet = { paused: false, pausedProjects: [], costToday: aSession().cost, position: 7 };
  queries.setQueryData(sessionsQuery().queryKey, { data, fleet });
  return queries;
}

it("changes the list of sessions once per batch of messages", async () => {
  const queries = fill();
  let changes = 0;
  const observer = new QueryObserver(queries, { ...sessionsQuery(), enabled: false, notifyOnChangeProps: ["data"] });
  const stop = observer.subscribe(() => (changes += 1));
  applyMessages(queries, [signal("a", 1), signal("b", 2), signal("a", 3)], 7);
  await expect.poll(() => changes).toBe(1);
  expect(queries.getQueryData(sessionsQuery().queryKey)?.data.map(({ activity }) => activity)).toEqual([
    "step 3",
    "step 2",
  ]);
  stop();
});

it("does not notify a subscriber of the fleet's pause about a signal", async () => {
  const queries = fill();
  const seen: unknown[] = [];
  const observer = new QueryObserver(queries, { ...pausesQuery(), enabled: false, notifyOnChangeProps: ["data"] });
  const stop = observer.subscribe(({ data }) => seen.push(data));
  applyMessages(queries, [signal("a", 1)], 7);
  const fleet = { paused: true, pausedProjects: [], costToday: aSession().cost, position: 8 };
  applyMessages(queries, [{ event: "fleet", data: fleet }], 8);
  await expect.poll(() => seen).toEqual([{ paused: true, pausedProjects: [] }]);
  stop();
});

it("lists what must be refetched, once each", () => {
  const session: LiveMessage = { event: "session", data: aSession({ id: "a" }) };
  expect(applyMessages(fill(), [session, signal("b", 1), session], 9)).toEqual([["session", "a"], ["capacity"]]);
});

it("continues the activity of a changed session, and the log position", () => {
  const queries = fill();
  queries.setQueryData(activityQuery(3).queryKey, new Map());
  const data = aSession({ id: "a", status: "working", state: "working", updatedAt: "2026-01-01T00:00:09Z" });
  applyMessages(queries, [{ event: "session", data }], 9);
  expect(queries.getQueryData(sessionsQuery().queryKey)?.fleet.position).toBe(9);
  expect(queries.getQueryData(activityQuery(3).queryKey)?.get("a")?.agent).toEqual([
    { kind: "working", from: "2026-01-01T00:00:09Z", to: null },
  ]);
});

it("keeps what the stream sent while an older list was loading", async () => {
  const queries = fill();
  const older = queries.getQueryData(sessionsQuery().queryKey);
  if (older === undefined) throw new Error("there is no list");
  const gate = { answer: (_: typeof older): void => undefined };
  const answered = new Promise<typeof older>((resolve) => (gate.answer = resolve));
  const fetched = fetchPatched(() => answered, patchSessions);
  applyMessages(queries, [{ event: "session", data: aSession({ id: "a", title: "Dismissed" }) }], 8);
  gate.answer(older);
  expect((await fetched).data.map(({ title }) => title)).toEqual(["Dismissed", "Fix it"]);
});
