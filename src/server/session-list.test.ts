import { describe, expect, it } from "vitest";
import type { StreamState } from "../core/evolve.ts";
import { changeStream, projectStream, type StreamId, sessionStream } from "../core/stream.ts";
import { createWorldState } from "../engine/world-state.ts";
import { aProject, aSession } from "../testing/builders.ts";
import { aChange, aCheckRun, aPolicy } from "../testing/change-builders.ts";
import { createMemoryArchive } from "../testing/memory-archive.ts";
import { bytesOf } from "./answer-bytes.ts";
import { createSessionList } from "./session-list.ts";

const DAY_MS = 86_400_000;

/** Two sessions; the check of the first one's pull request has just started. */
function aList() {
  const clock = { now: 1000 };
  const check = aCheckRun({ state: "running", at: 1000 });
  const change = aChange({ sessionId: "one", checks: { [check.name]: check } });
  const states: readonly (readonly [StreamId, StreamState])[] = [
    [projectStream("demo"), aProject({ policy: aPolicy() })],
    [sessionStream("one"), aSession({ id: "one", issue: "7", activity: { state: "idle" } })],
    [sessionStream("two"), aSession({ id: "two", title: "Größe → ✓", activity: { state: "idle" } })],
    [changeStream(change.key), change],
  ];
  const world = createWorldState(new Map(states), {
    archive: createMemoryArchive(new Map()),
    now: () => clock.now,
  });
  let position = 0;
  const warnings: string[] = [];
  const commit = (): void => {
    const draft = world.draft();
    const event = { type: "agent.reported", state: "idle", note: "done" } as const;
    draft.apply({ stream: sessionStream("two"), event } as never, clock.now);
    world.adopt(draft);
    position += 1;
  };
  const engine = {
    world: world.view,
    lastPosition: () => position,
    revision: world.revision,
    warnings: () => warnings,
  };
  const list = createSessionList(engine, () => clock.now);
  return { list, world, clock, commit, warnings, attempt: { changeKey: change.key, check: check.name, ...check } };
}

type List = ReturnType<typeof aList>;

describe("the list of sessions", () => {
  it("is not rebuilt while nothing in it changes", () => {
    const { list, clock } = aList();
    const first = list({});
    clock.now += 9000;
    expect(list({})).toBe(first);
    expect(list({ project: "demo" })).not.toBe(first);
    expect(list({})).toBe(first);
  });

  it.each<[string, (list: List) => void]>([
    ["a commit", ({ commit }) => commit()],
    ["a warning", ({ warnings }) => warnings.push("The clock was set back.")],
    ["a report", ({ world }) => world.noteReport("two", { run: 1, state: "working", note: "reads", at: 2000 })],
    ["another phase of a check", ({ world, attempt }) => world.noteCheckPhase(attempt, "set-up")],
    ["an issue that depends on it", ({ world }) => world.noteDependents("demo", new Map([["7", ["8"]]]))],
    [
      "ten seconds of a check",
      ({ clock }) => {
        clock.now += 10_000;
      },
    ],
  ])("is rebuilt after %s", (_what, change) => {
    const made = aList();
    const before = made.list({});
    change(made);
    expect(made.list({})).not.toBe(before);
    expect(made.list({})).not.toEqual(before);
    expect(bytesOf(made.list({})).name()).not.toBe(bytesOf(before).name());
  });

  it("is rebuilt on another day, whose cost it shows", () => {
    const made = aList();
    const before = made.list({});
    made.clock.now += DAY_MS;
    expect(made.list({})).not.toBe(before);
  });

  it("keeps unchanged rows", () => {
    const { list, commit } = aList();
    const before = list({}).data;
    commit();
    const after = list({}).data;
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toEqual(before[1]);
  });

  it.each<[string, Parameters<List["list"]>[0]]>([
    ["whole", {}],
    ["as a page", { limit: 1 }],
    ["with those that are stopped", { all: true }],
    ["empty", { project: "other" }],
  ])("is sent as the JSON of the answer, %s", async (_what, query) => {
    const { list } = aList();
    const answer = list(query);
    expect(new TextDecoder().decode(bytesOf(answer).plain())).toBe(JSON.stringify(answer));
  });
});
