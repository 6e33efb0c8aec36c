import { describe, expect, it } from "vitest";
import { type LiveMessage, openLiveClient, openLiveFleet } from "../../../test/support/live-fleet.ts";
import { sessionStream } from "../../core/stream.ts";

const notes = (messages: readonly LiveMessage[]): readonly string[] =>
  messages.flatMap(({ event, data }) => (event === "session" ? [`${data["id"]}: ${data["activity"]}`] : []));

describe("the stream of changed views", () => {
  it("sends a changed session with the position of its commit", async () => {
    const fleet = openLiveFleet(2);
    const client = openLiveClient(fleet.newHub(), null);
    await client.begin();
    fleet.say("s1", "reading");
    const messages = await client.readTo(fleet.last());
    expect(notes(messages)).toEqual(["s1: reading"]);
    expect(messages.at(-1)?.id).toMatch(/^2-[0-9a-f]{8}$/);
    expect(messages.slice(0, -1).map(({ id }) => id)).toEqual(messages.slice(1).map(() => null));
  });

  it("derives a change once for all clients, and sends it to each of them once and in order", async () => {
    const fleet = openLiveFleet(3);
    const hub = fleet.newHub();
    const clients = Array.from({ length: 200 }, () => openLiveClient(hub, null));
    for (const client of clients) await client.begin();
    const readsBefore = fleet.inboxReads();
    const received = clients.map((): LiveMessage[] => []);
    for (let n = 0; n < 5; n += 1) {
      fleet.say(`s${n % 3}`, `step ${n}`);
      for (const [at, client] of clients.entries()) received[at]?.push(...(await client.readTo(fleet.last())));
    }
    const expected = ["s0: step 0", "s1: step 1", "s2: step 2", "s0: step 3", "s1: step 4"];
    for (const messages of received) expect(notes(messages)).toEqual(expected);
    expect(fleet.inboxReads() - readsBefore).toBe(5);
  });

  it("sends exactly what changed while a client was disconnected, even after a daemon restart", async () => {
    const fleet = openLiveFleet(4);
    const first = openLiveClient(fleet.newHub(), null);
    await first.begin();
    fleet.say("s0", "before");
    await first.readTo(fleet.last());
    first.close();
    fleet.say("s1", "away");
    fleet.say("s2", "away");
    fleet.say("s1", "still away");
    const again = openLiveClient(fleet.newHub(), first.lastId());
    expect(notes(await again.readTo(fleet.last())).toSorted()).toEqual(["s1: still away", "s2: away"]);
    fleet.say("s3", "back");
    expect(notes(await again.readTo(fleet.last()))).toEqual(["s3: back"]);
  });

  it("accepts the position of a list instead of an id", async () => {
    const fleet = openLiveFleet(2);
    fleet.say("s0", "listed");
    const listed = fleet.last();
    fleet.say("s1", "not listed");
    const client = openLiveClient(fleet.newHub(), String(listed));
    expect(notes(await client.readTo(fleet.last()))).toEqual(["s1: not listed"]);
  });

  it("sends a client its position before anything has changed", async () => {
    const fleet = openLiveFleet(2);
    const client = openLiveClient(fleet.newHub(), null);
    await client.begin();
    client.close();
    fleet.say("s0", "away");
    const again = openLiveClient(fleet.newHub(), client.lastId());
    expect(notes(await again.readTo(fleet.last()))).toEqual(["s0: away"]);
  });

  it("marks a session that has left the list", async () => {
    const fleet = openLiveFleet(1);
    const client = openLiveClient(fleet.newHub(), null);
    await client.begin();
    fleet.commit(sessionStream("s0"), { type: "session.stop-requested", reason: "done" }, { type: "session.stopped" });
    const messages = await client.readTo(fleet.last());
    expect(messages.find(({ event }) => event === "session")?.data).toMatchObject({ id: "s0", removed: true });
  });

  it("sends a need that is dismissed, snoozed and returned, with its session each time", async () => {
    const fleet = openLiveFleet(1);
    const client = openLiveClient(fleet.newHub(), null);
    await client.begin();
    const problem = { id: "agent-idle", key: "agent-idle", occurrence: "1", text: "idle" };
    const escalated = {
      type: "problem.escalated",
      id: "agent-idle",
      priority: "action",
      reason: "",
      messages: 0,
    } as const;
    fleet.commit(sessionStream("s0"), { type: "problem.seen", ...problem }, { ...escalated, reminder: false });
    const needs = async () => {
      const messages = await client.readTo(fleet.last());
      const session = messages.findLast(({ event }) => event === "session")?.data;
      const inbox = messages.findLast(({ event }) => event === "inbox")?.data as
        | { data: readonly unknown[] }
        | undefined;
      return { inRow: session?.["attention"] !== null && session !== undefined, inInbox: inbox?.data.length };
    };
    expect(await needs()).toEqual({ inRow: true, inInbox: 1 });
    const snoozed = {
      type: "inbox.snoozed",
      id: "s0/agent-idle",
      occurrence: "1",
      until: 9_000_000,
      by: "ada",
    } as const;
    fleet.commit("fleet", snoozed);
    expect(await needs()).toEqual({ inRow: false, inInbox: 0 });
    fleet.commit("fleet", { type: "inbox.returned", id: "s0/agent-idle" });
    expect(await needs()).toEqual({ inRow: true, inInbox: 1 });
    fleet.commit(sessionStream("s0"), { type: "problem.acknowledged", id: "agent-idle", by: "ada" });
    expect(await needs()).toEqual({ inRow: false, inInbox: 0 });
  });

  it.each([
    ["another store", () => "1-00000000"],
    ["a position that this store does not have yet", () => "4711"],
  ])("asks a client from %s to reload everything", async (_, since) => {
    const fleet = openLiveFleet(1);
    const client = openLiveClient(fleet.newHub(), since());
    expect(await client.read()).toMatchObject({ event: "reset", data: { reason: "another-store" } });
    fleet.say("s0", "next");
    expect(notes(await client.readTo(fleet.last()))).toEqual(["s0: next"]);
  });

  it("asks a client that missed too much to reload everything", async () => {
    const fleet = openLiveFleet(300);
    for (let n = 0; n < 300; n += 1) fleet.say(`s${n}`, "away");
    const client = openLiveClient(fleet.newHub(), "1");
    expect(await client.read()).toMatchObject({ event: "reset", data: { reason: "too-far-behind" } });
  });

  it("sends a client that did not read each changed view once, in its current version", async () => {
    const fleet = openLiveFleet(3);
    const hub = fleet.newHub();
    const [slow, quick] = [openLiveClient(hub, null), openLiveClient(hub, null)];
    await slow.begin();
    await quick.begin();
    // More than the kept batches.
    const big = "x".repeat(100_000);
    for (let n = 0; n < 60; n += 1) {
      fleet.say(`s${n % 2}`, `${n} ${big}`);
      await quick.readTo(fleet.last());
    }
    const messages = await slow.readTo(fleet.last());
    expect(
      notes(messages)
        .map((text) => text.slice(0, 6))
        .toSorted(),
    ).toEqual(["s0: 58", "s1: 59"]);
    fleet.say("s2", "after");
    expect(notes(await slow.readTo(fleet.last()))).toEqual(["s2: after"]);
  });

  it("sends what an agent reports between events without an id", async () => {
    const fleet = openLiveFleet(1);
    const client = openLiveClient(fleet.newHub(), null);
    await client.begin();
    fleet.report("s0", "first");
    fleet.report("s0", "second");
    expect(await client.read()).toMatchObject({
      id: null,
      event: "signal",
      data: { sessionId: "s0", activity: "second" },
    });
  });
});
