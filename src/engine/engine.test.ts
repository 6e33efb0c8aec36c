import { describe, expect, it } from "vitest";
import type { Store, StoredEvent } from "../ports/store.ts";
import { aCreate } from "../testing/builders.ts";
import { openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";
import { nextTurn } from "../testing/gate.ts";
import { createMemoryStore } from "../testing/memory-store.ts";

const SESSION = "demo-fix-it";
const dieAt = (wanted: string) => (place: string) => place === wanted;

describe("starting the engine", () => {
  it("reads what agents printed meanwhile before it sends anything", async () => {
    let isArmed = false;
    const bed = await openEngineBed({ killAt: (place) => isArmed && place === "execute:after send-message" });
    const person = createPerson(bed);
    await registerProject(person);
    await person.command(aCreate(), "create");
    await person.until("the task", () => bed.world.diary.length === 1);
    await bed.idle();
    // The agent has the message and confirms it; the daemon dies before it knows.
    isArmed = true;
    const text = { inline: "and this" };
    await bed.submit({ type: "session.send", sessionId: SESSION, messageId: "m-2", text, bytes: 8 }, "send");
    await bed.idle();
    expect(bed.isDead()).toBe(true);
    await bed.restart();
    const known = bed.engine.loop.world.view.session(SESSION)?.messages.find(({ id }) => id === "m-2");
    expect(known?.status).toBe("accepted");
    await bed.idle();
    expect(bed.world.diary.map(({ id }) => id)).toEqual(["m-task", "m-2"]);
  });

  it("continues what the last daemon wanted but did not start", async () => {
    const bed = await openEngineBed({ killAt: dieAt("start:after create-workspace") });
    const person = createPerson(bed);
    await registerProject(person);
    await person.command(aCreate(), "create");
    await person.until("the task", () => bed.world.diary.length === 1);
    expect(bed.world.workspace.created).toHaveLength(1);
  });

  it("notices an agent that died while no daemon was running", async () => {
    const bed = await openEngineBed();
    const person = createPerson(bed);
    await registerProject(person);
    await person.command(aCreate({ prompt: { inline: "!ask" } }), "create");
    const session = () => bed.engine.loop.world.view.session(SESSION);
    await person.until("the question", () => session()?.question != null);
    bed.kill();
    const [run] = bed.world.runtime.starts;
    if (run === undefined) throw new Error("no run was started");
    bed.world.runtime.vanish(run);
    await bed.restart();
    await person.until("the next run", () => bed.world.runtime.starts.length === 2);
  });
});

describe("a running engine", () => {
  it("puts the start of an effect on the disk before it begins, unless the effect changes nothing", async () => {
    const inner = createMemoryStore();
    const starts = new Map<string, boolean>();
    const append: Store["append"] = (batch, position) => {
      for (const id of batch.started) starts.set(id.split("/")[1] ?? "", batch.durable);
      return inner.append(batch, position);
    };
    const bed = await openEngineBed({ store: { ...inner, append } });
    const person = createPerson(bed);
    await registerProject(person);
    await person.command(aCreate(), "create");
    await person.until("the turn's end", () => starts.has("read-branch"));
    expect(Object.fromEntries(starts)).toMatchObject({
      "create-workspace": true,
      "start-run": true,
      "send-message": true,
    });
    expect(starts.get("read-branch")).toBe(false);
  });

  it("publishes events after their commit, in order and to all subscribers", async () => {
    const bed = await openEngineBed();
    const heard: StoredEvent[][] = [[], []];
    const leave = heard.map((list) => bed.engine.subscribe((events) => list.push(...events)));
    await registerProject(createPerson(bed));
    leave[1]?.();
    const early = heard[1]?.length ?? 0;
    await bed.submit(aCreate());
    await bed.idle();
    expect(heard[0]).toEqual(await bed.store.read(0, 1_000_000));
    expect([early > 0, heard[1]?.length]).toEqual([true, early]);
  });

  it("answers a command repeated with its key as the first time", async () => {
    const bed = await openEngineBed();
    await registerProject(createPerson(bed));
    const first = await bed.submit(aCreate(), "create");
    expect(await bed.submit(aCreate(), "create")).toEqual(first);
    await bed.idle();
    expect(bed.world.workspace.created).toHaveLength(1);
  });

  it("is not idle while an effect runs", async () => {
    const bed = await openEngineBed();
    await registerProject(createPerson(bed));
    const gate = bed.world.scripts.workspace.holdNext("create");
    await bed.submit(aCreate());
    await gate.arrived();
    let isIdle = false;
    const idle = bed.engine.idle().then(() => {
      isIdle = true;
    });
    await nextTurn();
    expect(isIdle).toBe(false);
    gate.open();
    await idle;
  });

  it("leaves no timer behind when it is closed, and its agents running", async () => {
    const bed = await openEngineBed();
    const person = createPerson(bed);
    await registerProject(person);
    await person.command(aCreate(), "create");
    await person.until("the task", () => bed.world.diary.length === 1);
    await bed.idle();
    await bed.engine.close();
    // Only the limit of the wait for effects is left.
    await bed.world.clock.advance(5000);
    expect(bed.world.clock.nextAt()).toBeNull();
    const [run] = bed.world.runtime.starts;
    if (run === undefined) throw new Error("no run was started");
    expect(await bed.world.ports.runtime.probe(run)).toMatchObject({ kind: "alive" });
  });
});
