import { describe, expect, it } from "vitest";
import { createGate, type Gate, nextTurn } from "../testing/gate.ts";
import { createActivity } from "./activity.ts";
import { createLanes, type Lanes } from "./lanes.ts";

interface Item {
  readonly id: string;
  readonly lane: string;
  readonly kind: string;
}

interface Scene {
  readonly lanes: Lanes;
  readonly waiting: Item[];
  /** Ids in the order in which they were started. */
  readonly started: string[];
  readonly errors: string[];
  gate(id: string): Gate;
  isIdle(): Promise<boolean>;
}

/** Lanes whose items leave the waiting list when their work ends and wait at a gate until then. */
function setUp(items: readonly string[], inRun?: (scene: Scene, id: string) => void): Scene {
  const waiting = items.map(parse);
  const gates = new Map<string, Gate>();
  const activity = createActivity();
  const gate = (id: string): Gate => {
    const known = gates.get(id) ?? createGate();
    gates.set(id, known);
    return known;
  };
  const scene: Scene = {
    waiting,
    started: [],
    errors: [],
    gate,
    isIdle: () => Promise.race([activity.idle().then(() => true), nextTurn().then(() => false)]),
    lanes: createLanes<Item>(
      {
        waiting: () => waiting,
        laneOf: ({ lane }) => lane,
        kindOf: ({ kind }) => kind,
        limitOf: () => 2,
        run: async (item) => {
          scene.started.push(item.id);
          inRun?.(scene, item.id);
          await gate(item.id)
            .pass()
            .finally(() => waiting.splice(waiting.indexOf(item), 1));
        },
        onError: ({ id }, error) => scene.errors.push(`${id}: ${String(error)}`),
      },
      activity,
    ),
  };
  return scene;
}

/** Parses `one@lane:kind` into an item. */
function parse(text: string): Item {
  const [id = "", lane = "", kind = ""] = text.split(/[@:]/);
  return { id, lane, kind };
}

describe("lanes", () => {
  it("start nothing before they are open", () => {
    const { lanes, started } = setUp(["a@1:k"]);
    lanes.poke();
    expect(started).toEqual([]);
    lanes.open();
    expect(started).toEqual(["a"]);
  });

  it("run the items of one lane one after another, in order", async () => {
    const scene = setUp(["a@1:k", "b@1:k"]);
    scene.lanes.open();
    scene.lanes.poke();
    expect(scene.started).toEqual(["a"]);
    scene.gate("a").open();
    await scene.gate("b").arrived();
    expect(scene.started).toEqual(["a", "b"]);
  });

  it("run different lanes in parallel, up to the limit of a kind", async () => {
    const scene = setUp(["a@1:k", "b@2:k", "c@3:k", "d@4:other"]);
    scene.lanes.open();
    expect(scene.started).toEqual(["a", "b", "d"]);
    scene.gate("b").open();
    await scene.gate("c").arrived();
    expect(scene.started).toEqual(["a", "b", "d", "c"]);
  });

  it("start an item that arrived while its lane was busy (no lost wake-up)", async () => {
    const scene = setUp(["a@1:k"]);
    scene.lanes.open();
    await scene.gate("a").arrived();
    scene.waiting.push(parse("b@1:k"));
    scene.gate("a").open();
    await scene.gate("b").arrived();
    expect(scene.started).toEqual(["a", "b"]);
  });

  it("start an item once, at whichever microtask around the end of a run the pokes come", async () => {
    for (let steps = 0; steps < 10; steps += 1) {
      const scene = setUp(["a@1:k"]);
      scene.lanes.open();
      await scene.gate("a").arrived();
      scene.gate("a").open();
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      scene.waiting.push(parse("b@1:k"));
      scene.lanes.poke();
      scene.lanes.poke();
      await scene.gate("b").arrived();
      scene.lanes.poke();
      expect(scene.started).toEqual(["a", "b"]);
    }
  });

  it("start an item once although its own work pokes (no double start)", () => {
    const scene = setUp(["a@1:k", "b@2:k"], ({ lanes }) => lanes.poke());
    scene.lanes.open();
    expect(scene.started).toEqual(["a", "b"]);
  });

  it("do not start what was withdrawn while it waited", async () => {
    const scene = setUp(["a@1:k", "b@1:k", "c@1:k"]);
    scene.lanes.open();
    scene.waiting.splice(1, 1);
    scene.gate("a").open();
    await scene.gate("c").arrived();
    expect(scene.started).toEqual(["a", "c"]);
  });

  it("keep a lane's order even if its first item is held by the limit of its kind", async () => {
    const scene = setUp(["a@1:k", "b@2:k", "c@3:k", "d@3:other"]);
    scene.lanes.open();
    expect(scene.started).toEqual(["a", "b"]);
    scene.gate("a").open();
    await scene.gate("c").arrived();
    expect(scene.started).toEqual(["a", "b", "c"]);
    scene.gate("c").open();
    await scene.gate("d").arrived();
  });

  it("free the lane of work that throws", async () => {
    const scene = setUp(["a@1:k", "b@1:k"]);
    scene.lanes.open();
    scene.gate("a").fail(new Error("broken"));
    await scene.gate("b").arrived();
    expect(scene.errors).toEqual(["a: Error: broken"]);
  });

  it("drain by finishing what is running and starting no more", async () => {
    const scene = setUp(["a@1:k", "b@1:k"]);
    scene.lanes.open();
    let drained = false;
    const drain = scene.lanes.drain().then(() => {
      drained = true;
    });
    await nextTurn();
    expect(drained).toBe(false);
    scene.gate("a").open();
    await drain;
    expect(scene.started).toEqual(["a"]);
  });

  it("are idle only when nothing runs, not between two items of a lane", async () => {
    const scene = setUp(["a@1:k", "b@1:k"]);
    scene.lanes.open();
    scene.gate("a").open();
    expect(await scene.isIdle()).toBe(false);
    scene.gate("b").open();
    expect(await scene.isIdle()).toBe(true);
  });
});
