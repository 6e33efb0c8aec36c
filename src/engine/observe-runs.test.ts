import { appendFileSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentSignal } from "../core/agent-signal.ts";
import type { Input } from "../core/input.ts";
import { decodeSignal, encodeSignal } from "../core/lines-protocol.ts";
import type { SessionState } from "../core/session/state.ts";
import { sessionStream } from "../core/stream.ts";
import { createHostFs } from "../platform/fs.ts";
import { createSilentLog } from "../platform/log.ts";
import type { RunProbe } from "../ports/runtime.ts";
import { NO_CHANGES, type Store } from "../ports/store.ts";
import { aMessage, aSession } from "../testing/builders.ts";
import { eventually } from "../testing/eventually.ts";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { tempDir } from "../testing/temp.ts";
import { createActivity } from "./activity.ts";
import type { EffectDeps } from "./executor.ts";
import { noFaults } from "./fault.ts";
import { createLoop, type Loop } from "./loop.ts";
import { createRunObserver, type RunObserver } from "./observe-runs.ts";

interface Scene {
  readonly clock: FakeClock;
  readonly loop: Loop;
  readonly observer: RunObserver;
  print(...signals: readonly (AgentSignal | string)[]): void;
  end(code: number): void;
  submit(input: Input): Promise<void>;
  /** Calls back as the system does when a file of the run changed, and waits until that is handled. */
  changed(name: string | null): Promise<void>;
  events(): Promise<readonly string[]>;
  session(): SessionState;
  /** Bells that were rung, by folder name. */
  readonly rung: readonly string[];
  /** How often the run was probed. */
  probes(): number;
  /** The same store and files with a new daemon. */
  restart(): Promise<Scene>;
}

const ID = "demo-1";
const START = 1_000_000;

async function openScene(facts: Partial<SessionState> = {}): Promise<Scene> {
  const store = createMemoryStore();
  const state = aSession({ id: ID, ...facts });
  const states = [{ stream: sessionStream(ID), state, wakeAt: null }];
  await store.append({ ...NO_CHANGES, states }, 0);
  const dir = tempDir();
  mkdirSync(join(dir, "1"));
  appendFileSync(join(dir, "1", "out"), "");
  return startScene(store, dir, createFakeClock(START));
}

async function startScene(store: Store, dir: string, clock: FakeClock): Promise<Scene> {
  const loaded = await store.load();
  const activity = createActivity();
  const loop = createLoop({ store, loaded, clock, log: createSilentLog(), faults: noFaults, activity });
  let probe: RunProbe = { kind: "alive", pid: 7 };
  let probes = 0;
  const rung: string[] = [];
  const ring = async (path: string): Promise<void> => {
    rung.push(relative(dir, path));
  };
  let onChange = (_: string | null): void => undefined;
  const watch = (_: string, listener: typeof onChange): (() => void) => {
    onChange = listener;
    return () => {
      onChange = () => undefined;
    };
  };
  const deps = {
    host: { clock, fs: { ...createHostFs(), watch, ring }, log: createSilentLog() },
    session: loop.world.view.session,
    policyOf: () => null,
    runDir: (_: string, run: number) => join(dir, String(run)),
    agentOf: () => ({ decode: decodeSignal }),
    runtimeOf: () => ({
      probe: async () => {
        probes += 1;
        return probe;
      },
      end: async () => undefined,
    }),
    keepText: async (inline: string) => ({ inline }),
  } as unknown as EffectDeps;
  const observer = createRunObserver({ loop, deps, activity });
  await observer.start(loop.world.view.sessions());
  const print = (...signals: readonly (AgentSignal | string)[]): void => {
    const lines = signals.map((signal) => (typeof signal === "string" ? `${signal}\n` : encodeSignal(signal)));
    appendFileSync(join(dir, "1", "out"), lines.join(""));
  };
  return {
    ...{ clock, loop, observer, print, rung },
    end: (code) => {
      probe = { kind: "exited", code };
    },
    submit: async (input) => {
      await loop.submit({ input });
      observer.follow(loop.world.view.sessions());
    },
    changed: async (name) => {
      onChange(name);
      await activity.idle();
    },
    events: async () => (await store.read(0, 1_000_000)).map(({ event }) => event.type),
    session: () => loop.world.view.session(ID) as SessionState,
    probes: () => probes,
    restart: () => {
      observer.close();
      loop.close();
      return startScene(store, dir, clock);
    },
  };
}

const working = (note: string): AgentSignal => ({ kind: "status", state: "working", note });
const usage: AgentSignal = { kind: "usage", inputTokens: 10, outputTokens: 1, costUsd: 0 };
const done: AgentSignal = { kind: "done", summary: "all of it" };

describe("what an agent prints", () => {
  it("keeps 20,000 notes out of the log, and shows the newest", async () => {
    const scene = await openScene();
    scene.print(...Array.from({ length: 20_000 }, (_, n) => working(`step ${n}`)));
    await scene.changed("out");
    expect(await scene.events()).toEqual([]);
    expect(scene.loop.world.view.liveReport(ID)).toMatchObject({ run: 1, state: "working", note: "step 19999" });
  });

  it("reports how much of its vendor's rate limit is used, without an event", async () => {
    const scene = await openScene();
    const before = await scene.events();
    const window = { name: "5 h", usedPercent: 31, resetsAt: START + 60_000 };
    scene.print({ kind: "windows", windows: [window] });
    await scene.changed("out");
    expect(scene.loop.world.view.rateWindows(scene.session().agent.plugin)).toMatchObject([window]);
    expect(await scene.events()).toEqual(before);
  });

  it("loses no receipt, question, total or end among thousands of notes", async () => {
    const scene = await openScene({ messages: [aMessage({ id: "m-1", status: "written", run: 1 })] });
    const notes = Array.from({ length: 5000 }, (_, n) => working(`step ${n}`));
    scene.print(...notes, { kind: "received", id: "m-1" }, ...notes, usage, ...notes, usage);
    scene.print({ kind: "asked", id: "q", question: "which?", choices: ["a"] }, ...notes, usage, done, ...notes);
    await scene.changed("out");
    const facts = /^(message|agent\.(asked|finished|errored))/;
    expect((await scene.events()).filter((type) => facts.test(type))).toEqual([
      "message.accepted",
      "agent.asked",
      "agent.finished",
    ]);
    expect(scene.session().usage).toMatchObject({ inputTokens: 30, outputTokens: 3 });
    expect(scene.session()).toMatchObject({ summary: "all of it", question: null });
  });

  it("records usage with the next fact, or after a while", async () => {
    const scene = await openScene();
    for (let n = 0; n < 3; n += 1) {
      scene.print(usage);
      await scene.changed("out");
    }
    expect(await scene.events()).toEqual(["agent.used"]);
    await scene.clock.advance(30_000);
    await eventually(async () => expect(scene.session().usage.inputTokens).toBe(30));
    expect(await scene.events()).toEqual(["agent.used", "agent.used"]);
  });

  it("records a sign of life once a minute while only notes come", async () => {
    const scene = await openScene({ activity: { state: "working", note: null, evidence: "", at: START } });
    for (let second = 0; second < 150; second += 10) {
      await scene.clock.advance(10_000);
      scene.print(working(`after ${second} s`));
      await scene.changed("out");
    }
    expect((await scene.events()).filter((type) => type === "agent.output-seen")).toHaveLength(2);
  });

  it("is read at most once a second if it has nothing to record", async () => {
    const scene = await openScene();
    for (let n = 0; n < 9; n += 1) {
      scene.print(working(`step ${n}`));
      await scene.changed("out");
    }
    scene.print(working("later"));
    await scene.changed("out");
    expect(scene.loop.world.view.liveReport(ID)?.note).toBe("step 8");
    await scene.clock.advance(1000);
    await eventually(async () => expect(scene.loop.world.view.liveReport(ID)?.note).toBe("later"));
  });

  it("is replaced in the view by newer facts from the log", async () => {
    const scene = await openScene();
    scene.print(working("reads"));
    await scene.changed("out");
    scene.print(done);
    await scene.changed("out");
    expect(scene.loop.world.view.liveReport(ID)).toBeNull();
  });
});

describe("a new daemon", () => {
  it("rings for every live run, because the last one may have died before it did", async () => {
    const next = await (await openScene()).restart();
    expect(next.rung).toEqual(["1/bell"]);
  });

  it("reads unrecorded output again, and counts nothing twice", async () => {
    const scene = await openScene();
    scene.print(usage);
    await scene.changed("out");
    scene.print(usage, working("reads"));
    await scene.changed("out");
    const next = await scene.restart();
    expect(next.session().usage.inputTokens).toBe(20);
    expect(next.loop.world.view.liveReport(ID)?.note).toBe("reads");
    const third = await next.restart();
    expect(third.session().usage.inputTokens).toBe(20);
  });
});

describe("the end of a run", () => {
  it("is checked for when anything but output changes", async () => {
    const scene = await openScene();
    const before = scene.probes();
    scene.print(working("reads"));
    await scene.changed("out");
    await scene.changed("err");
    await scene.changed("screen");
    expect(scene.probes()).toBe(before);
    await scene.changed("exit");
    expect(scene.probes()).toBe(before + 1);
  });

  it("is recorded after everything printed, including pending usage", async () => {
    const scene = await openScene();
    scene.print(usage);
    await scene.changed("out");
    scene.print(usage, "plain", done);
    scene.end(0);
    await scene.changed("exit");
    const events = (await scene.events()).filter((type) => /^(agent|run)\./.test(type));
    expect(events).toEqual(["agent.used", "agent.used", "agent.finished", "run.ended"]);
    expect(scene.loop.world.view.liveReport(ID)).toBeNull();
  });

  it("is recorded once if requested while it is observed", async () => {
    const scene = await openScene();
    scene.print(usage, done);
    scene.end(0);
    await Promise.all([scene.changed("exit"), scene.observer.recordRunEnd(ID, 1)]);
    const events = (await scene.events()).filter((type) => /^(agent|run)\./.test(type));
    expect(events).toEqual(["agent.used", "agent.finished", "run.ended"]);
  });

  it.each(["before", "after"])(
    "records nothing twice if the session moves to another runtime, and its process is seen to exit %s ao asks",
    async (when) => {
      const scene = await openScene();
      scene.print(usage, { kind: "asked", id: "q", question: "which?", choices: ["a"] }, done);
      await scene.changed("out");
      const known = await scene.events();
      await scene.submit({ type: "session.move", sessionId: ID, runtime: { plugin: "tmux", config: {} } });
      scene.end(0);
      if (when === "before") await scene.changed("exit");
      await scene.observer.recordRunEnd(ID, 1);
      const news = (await scene.events()).slice(known.length).filter((type) => !type.startsWith("intent."));
      expect(news).toEqual(["session.moved", "run.ended"]);
      expect(scene.session().usage.inputTokens).toBe(10);
    },
  );

  it("records nothing twice if the session is stopped", async () => {
    const scene = await openScene();
    scene.print(usage, done);
    await scene.changed("out");
    await scene.submit({ type: "session.stop", sessionId: ID, reason: "enough" });
    scene.print(usage);
    scene.end(0);
    await scene.observer.recordRunEnd(ID, 1);
    const used = (await scene.events()).filter((type) => type === "agent.used");
    expect(used).toHaveLength(2);
    expect(scene.session().usage.inputTokens).toBe(20);
  });

  it("records nothing twice if two readers meet", async () => {
    const scene = await openScene();
    scene.print(usage);
    await scene.changed("out");
    scene.print(usage, done);
    const last = scene.changed("out");
    await scene.submit({ type: "session.stop", sessionId: ID, reason: "enough" });
    scene.print(usage);
    scene.end(0);
    await Promise.all([last, scene.observer.recordRunEnd(ID, 1)]);
    expect(scene.session().usage.inputTokens).toBe(30);
    expect((await scene.events()).filter((type) => type === "agent.finished")).toHaveLength(1);
  });
});
