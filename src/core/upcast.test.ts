import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChangeState } from "./change/state.ts";
import { EVENT_CATALOG } from "./event-catalog.ts";
import { evolve, type StreamState } from "./evolve.ts";
import type { SessionState } from "./session/state.ts";
import type { StreamId } from "./stream.ts";
import { upcastEvent, upcastState } from "./upcast.ts";

interface OldStore {
  readonly events: readonly { readonly stream: StreamId; readonly at: number; readonly event: { type: string } }[];
  readonly states: Readonly<Record<StreamId, object>>;
}

/** The content of a store that was written before these events and fields got their names. */
const old: OldStore = JSON.parse(
  readFileSync(new URL("../../test/fixtures/store/renamed-events.json", import.meta.url), "utf8"),
);

function replay(): ReadonlyMap<string, StreamState> {
  const states = new Map<string, StreamState>();
  for (const { stream, event, at } of old.events) {
    const next = evolve(stream, states.get(stream), upcastEvent(event), at);
    if (next !== undefined) states.set(stream, next);
  }
  return states;
}

it("hides a password in a repository's address, which older versions stored", () => {
  const facts = { id: "app", repo: "https://ada:secret@forge.example.com/octo/app.git" };
  const shown = { id: "app", repo: "https://forge.example.com/octo/app.git" };
  const event = { type: "project.registered", ...facts };
  expect(upcastEvent(event)).toEqual({ type: "project.registered", ...shown });
  expect(upcastState("project:app", facts)).toEqual(shown);
});

describe("an old log", () => {
  it("has the renamed events under their old names", () => {
    const types = old.events.map(({ event }) => event.type);
    expect(types).toEqual(expect.arrayContaining(["agent.stirred", "agent.unasked", "agent.conversing"]));
  });

  it("has only events that the catalog knows, once they are upcast", () => {
    const types = old.events.map(({ event }) => upcastEvent(event).type);
    expect(types.filter((type) => !Object.hasOwn(EVENT_CATALOG, type))).toEqual([]);
    expect(types).toEqual(expect.arrayContaining(["agent.output-seen", "question.withdrawn", "conversation.known"]));
  });

  it("replays to a session that knows its conversation and has no question, and to a requested merge", () => {
    const states = replay();
    const session = states.get("session:demo-fix-it") as SessionState;
    expect(session).toMatchObject({ conversation: "c-1", resumes: true, question: null });
    expect(session.activity.state).toBe("idle");
    expect(states.get("change:demo/1")).toMatchObject({ mergeRequest: { by: "ann", head: "head1" } });
  });
});

describe("an old state", () => {
  it("has the fields that a replay of its log gives", () => {
    const replayed = replay();
    expect(Object.keys(old.states).sort()).toEqual([...replayed.keys()].sort());
    for (const [stream, state] of Object.entries(old.states)) {
      const upcast = upcastState(stream as StreamId, state);
      // Recorded only since, and therefore optional.
      type Known = Pick<SessionState, "signalAt"> & Pick<ChangeState, "mergeRequests">;
      const { signalAt: _, mergeRequests: __, ...known } = (replayed.get(stream) ?? {}) as Known;
      expect(Object.keys(upcast).sort()).toEqual(Object.keys(known).sort());
    }
  });

  it("keeps its requested merge", () => {
    const change = upcastState("change:demo/1", old.states["change:demo/1"] ?? {}) as ChangeState;
    const { mergeRequests: _, ...known } = replay().get("change:demo/1") as ChangeState;
    expect(change).toEqual(known);
    expect(change.mergeRequest?.by).toBe("ann");
  });

  it("is left alone if it has the current fields", () => {
    const today = replay().get("change:demo/1") ?? {};
    expect(upcastState("change:demo/1", today)).toBe(today);
  });
});
