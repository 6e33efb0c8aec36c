import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../core/event.ts";
import { evolve, type StreamState } from "../core/evolve.ts";
import type { StreamId } from "../core/stream.ts";
import { upcastEvent } from "../core/upcast.ts";
import type { Store } from "../ports/store.ts";
import { aCreate } from "../testing/builders.ts";
import { openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { CHANGE, createPerson, SESSION } from "../testing/engine-bed/story.ts";
import { createMemoryStore } from "../testing/memory-store.ts";

/** The whole life of an issue, recorded when a pull request was an event without an effect. */
const { events } = JSON.parse(
  readFileSync(new URL("../../test/fixtures/store/before-forges.json", import.meta.url), "utf8"),
) as {
  readonly events: readonly {
    readonly stream: StreamId;
    readonly event: { readonly type: string };
    readonly at: number;
  }[];
};

function replay(until: AnyEvent["type"] | null): {
  readonly read: readonly { readonly stream: StreamId; readonly event: AnyEvent; readonly at: number }[];
  readonly states: Map<StreamId, StreamState>;
} {
  const end = until === null ? events.length : events.findIndex(({ event }) => event.type === until) + 1;
  const read = events.slice(0, end).map((one) => ({ ...one, event: upcastEvent(one.event) }));
  const states = new Map<StreamId, StreamState>();
  for (const { stream, event, at } of read) {
    const after = evolve(stream, states.get(stream), event, at);
    if (after !== undefined) states.set(stream, after);
  }
  return { read, states };
}

async function storeOf(until: AnyEvent["type"] | null): Promise<Store> {
  const store = createMemoryStore();
  const { read, states } = replay(until);
  const rows = [...states].map(([stream, state]) => ({ stream, state, wakeAt: null }));
  const finished = read.flatMap(({ event }) => (event.type === "intent.finished" ? [event.id] : []));
  const rest = { recorded: [], started: [], finished, forgotten: [], positions: [], receipts: [], durable: true };
  await store.append({ events: read, states: rows, ...rest }, 0);
  return store;
}

describe("a log from before forges had a port", () => {
  it("gives the same states as ever", () => {
    const { states } = replay(null);
    expect(states.get(`change:${CHANGE}`)).toMatchObject({
      number: 1,
      phase: "merged",
      branchFate: expect.any(String),
    });
    expect(states.get(`session:${SESSION}`)).toMatchObject({ phase: "stopped" });
  });

  it("wants no second pull request for a commit that has one", async () => {
    const bed = await openEngineBed({ store: await storeOf("change.opened") });
    await bed.idle();
    const kinds = [...bed.engine.loop.openIntents.values()].map(({ spec }) => spec.kind);
    expect(kinds).not.toContain("open-change");
    expect(bed.world.scm.pulls).toEqual([]);
  });

  it("continues numbering where it stopped", async () => {
    const bed = await openEngineBed({ store: await storeOf(null) });
    const person = createPerson(bed);
    const prompt = { inline: "!commit more.txt" };
    await person.command(aCreate({ issue: "2", prompt, messageId: "m-more" }), "create more");
    await person.until("the next pull request", () => bed.engine.loop.world.view.change("demo/2") !== undefined);
    expect(bed.world.scm.pulls.map(({ number }) => number)).toEqual([2]);
  });
});
