import { describe, expect, it } from "vitest";
import { AoError, PluginError } from "../core/errors.ts";
import type { IntentKind } from "../core/intent.ts";
import type { Host, HostProcesses } from "../ports/host.ts";
import { aCreate } from "../testing/builders.ts";
import { type BedOptions, type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";
import { scripted } from "../testing/fakes/scripted.ts";
import { nextTurn } from "../testing/gate.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import type { Executor, Executors } from "./executor.ts";
import { executors } from "./executors/all.ts";

const SESSION = "demo-fix-it";
const dieAt = (wanted: string) => (place: string) => place === wanted;

async function openScene(options: BedOptions = {}): Promise<EngineBed> {
  const bed = await openEngineBed(options);
  await registerProject(createPerson(bed));
  return bed;
}

function replace<K extends IntentKind>(kind: K, part: Partial<Executor<K>>): Executors {
  return { ...executors, [kind]: { ...executors[kind], ...part } };
}

/** A machine that lists processes only from the nth attempt on. */
function listsProcessesFrom(n: number): (host: Host) => Host {
  let attempts = 0;
  return (host) => {
    const findByIntent: HostProcesses["findByIntent"] = async (mark) => {
      attempts += 1;
      if (attempts < n) throw new Error("too many open files");
      return host.processes.findByIntent(mark);
    };
    return { ...host, processes: { ...host.processes, findByIntent } };
  };
}

/** How creating the workspace ended, in order. */
async function outcomes({ store }: EngineBed): Promise<readonly string[]> {
  const events = await store.read(0, 1_000_000);
  return events.flatMap(({ event }) =>
    event.type === "intent.finished" && event.id.includes("/create-workspace/") ? [event.outcome] : [],
  );
}

const reasonOf = ({ engine }: EngineBed): string | null | undefined =>
  engine.loop.world.view.session(SESSION)?.workspace.reason;

/** Lets time pass while an effect runs, so that the engine is not idle. */
async function pass({ world }: EngineBed, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) await world.clock.advance(50);
}

/** A daemon dies at a place of creating the workspace; a new one continues. */
async function crashAt(place: string, options: BedOptions = {}): Promise<EngineBed> {
  const bed = await openScene({ ...options, killAt: dieAt(place) });
  await bed.submit(aCreate(), "create");
  await bed.idle();
  expect(bed.isDead()).toBe(true);
  return bed;
}

describe("an effect that fails", () => {
  it.each([
    [
      "an error of ours",
      new AoError({ code: "conflict", message: "taken", hint: "Choose another." }),
      "failed",
      "taken",
    ],
    ["any other error", new TypeError("x is undefined"), "failed", "x is undefined"],
    [
      "an answer that was lost",
      new PluginError({ plugin: "worktree", category: "unknown-outcome", message: "no answer" }),
      "unknown",
      "no answer",
    ],
  ])("by %s is recorded as such", async (_, error, outcome, message) => {
    const bed = await openScene();
    bed.world.scripts.workspace.failNext("create", error);
    await bed.submit(aCreate());
    await bed.idle();
    expect(await outcomes(bed)).toEqual([outcome]);
    expect(reasonOf(bed)).toContain(message);
  });
});

describe("an effect that is no longer wanted", () => {
  it("before it was started is not performed", async () => {
    const bed = await openScene();
    const created = bed.submit(aCreate());
    const stopped = bed.submit({ type: "session.stop", sessionId: SESSION, reason: "a mistake" });
    await Promise.all([created, stopped]);
    await bed.idle();
    expect(bed.world.workspace.created).toEqual([]);
    expect(bed.engine.loop.openIntents.size).toBe(0);
  });

  it("after it was started is ended, even if its processes cannot be listed at first", async () => {
    const bed = await openScene({ host: listsProcessesFrom(3) });
    const gate = bed.world.scripts.workspace.holdNext("create");
    await bed.submit(aCreate());
    await gate.arrived();
    const [intent] = bed.engine.loop.openIntents.keys();
    const signals: string[] = [];
    bed.world.machine.table.add(`${intent}@bed`, (signal) => signals.push(signal));
    await bed.submit({ type: "session.stop", sessionId: SESSION, reason: "a mistake" });
    await pass(bed, 3000);
    expect(signals).toContain("SIGKILL");
    gate.open();
    await bed.idle();
  });
});

describe("an effect that nothing started although it could start", () => {
  it("starts within ten seconds, and the log says so", async () => {
    const room = { places: 0 };
    const create = Object.defineProperty({ ...executors["create-workspace"] }, "concurrency", {
      get: () => room.places,
    });
    const bed = await openScene({ executors: { ...executors, "create-workspace": create } });
    await bed.submit(aCreate());
    await bed.idle();
    // Room that no commit announces: a wake-up is lost.
    room.places = 1;
    await bed.idle();
    expect(bed.world.workspace.created).toEqual([]);
    await bed.advance(10_000);
    expect(bed.world.workspace.created).toHaveLength(1);
    expect(bed.world.machine.logged).toContainEqual(
      expect.objectContaining({ message: "effects were waiting although they could start" }),
    );
  });
});

describe("an outcome that cannot be committed", () => {
  it("is reported again until it can, and the effect is not repeated", async () => {
    const { port: store, script } = scripted(createMemoryStore());
    const bed = await openScene({ store });
    const gate = bed.world.scripts.workspace.holdNext("create");
    await bed.submit(aCreate());
    await gate.arrived();
    for (let n = 0; n < 3; n += 1) script.failNext("append", new AoError({ code: "disk-full", message: "full" }));
    gate.open();
    await pass(bed, 500);
    expect(await outcomes(bed)).toEqual([]);
    await pass(bed, 5000);
    expect(await outcomes(bed)).toEqual(["done"]);
    expect(bed.world.workspace.created).toHaveLength(1);
  });
});

describe("an effect that a crash interrupted", () => {
  it("is not repeated if it was done", async () => {
    const bed = await crashAt("execute:after create-workspace");
    await bed.restart();
    await bed.idle();
    expect(bed.world.workspace.created).toHaveLength(1);
    expect(await outcomes(bed)).toEqual(["done"]);
    expect(bed.world.machine.logged).toContainEqual(
      expect.objectContaining({ data: { intent: expect.stringContaining("create-workspace"), answer: "done" } }),
    );
  });

  it("is performed if it was not", async () => {
    const bed = await crashAt("execute:before create-workspace");
    expect(bed.world.workspace.created).toEqual([]);
    await bed.restart();
    await bed.idle();
    expect(bed.world.workspace.created).toHaveLength(1);
  });

  it("ends as unknown if it cannot be determined, and is not repeated", async () => {
    const reconcile = async () => ({ kind: "unknown", reason: "no trace of it" }) as const;
    const unsure = replace("create-workspace", { reconcile });
    const bed = await crashAt("execute:before create-workspace", { executors: unsure });
    await bed.restart();
    await bed.idle();
    expect(await outcomes(bed)).toEqual(["unknown"]);
    expect(reasonOf(bed)).toContain("no trace of it");
  });

  it("fails if reconciling fails", async () => {
    const bed = await crashAt("execute:before create-workspace");
    bed.world.scripts.workspace.failNext(
      "reconcileCreate",
      new AoError({ code: "internal", message: "not a repository" }),
    );
    await bed.restart();
    await bed.idle();
    expect(await outcomes(bed)).toEqual(["failed"]);
    expect(reasonOf(bed)).toContain("not a repository");
  });

  it("is reconciled only when its own processes have ended, which have ten seconds for it", async () => {
    const bed = await crashAt("execute:before create-workspace");
    const [intent] = (await bed.store.load()).intents;
    const { table } = bed.world.machine;
    const signals: string[] = [];
    const orphan = table.add(`${intent?.id}@bed`, (signal) => {
      signals.push(signal);
      table.remove(orphan.pid);
    });
    await bed.restart();
    await pass(bed, 9000);
    expect([bed.world.scripts.workspace.count("reconcileCreate"), signals]).toEqual([0, []]);
    await pass(bed, 2000);
    expect([bed.world.scripts.workspace.count("reconcileCreate"), signals]).toEqual([1, ["SIGKILL"]]);
  });

  it("is reconciled only when it is known that its processes have ended", async () => {
    const bed = await crashAt("execute:before create-workspace", { host: listsProcessesFrom(10) });
    await bed.restart();
    await pass(bed, 1000);
    expect(await outcomes(bed)).toEqual(["done"]);
    expect(bed.world.machine.logged).toContainEqual(
      expect.objectContaining({
        level: "warn",
        data: expect.objectContaining({ reason: expect.stringContaining("too many open files") }),
      }),
    );
  });

  it("leaves the processes of another AO_HOME alone", async () => {
    const bed = await crashAt("execute:before create-workspace");
    const [intent] = (await bed.store.load()).intents;
    bed.world.machine.table.add(`${intent?.id}@elsewhere`, () => undefined);
    await bed.restart();
    await bed.idle();
    expect(bed.world.workspace.created).toHaveLength(1);
  });
});

describe("closing the engine", () => {
  it("waits for what is running, and starts nothing more", async () => {
    const bed = await openScene();
    const gate = bed.world.scripts.workspace.holdNext("create");
    await bed.submit(aCreate());
    await gate.arrived();
    let isClosed = false;
    const closing = bed.engine.close().then(() => {
      isClosed = true;
    });
    await nextTurn();
    expect(isClosed).toBe(false);
    gate.open();
    await closing;
    expect(bed.world.workspace.created).toHaveLength(1);
    expect(bed.world.runtime.starts).toEqual([]);
  });

  it("waits five seconds at most", async () => {
    const bed = await openScene();
    const gate = bed.world.scripts.workspace.holdNext("create");
    await bed.submit(aCreate());
    await gate.arrived();
    const closing = bed.engine.close();
    await bed.world.clock.advance(5000);
    await closing;
    await expect(bed.engine.submit({ input: { type: "fleet.pause" } as never })).rejects.toMatchObject({
      code: "daemon-unreachable",
    });
  });
});
