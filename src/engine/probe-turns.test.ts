import { expect, it } from "vitest";
import { createSilentLog } from "../platform/log.ts";
import { aSession } from "../testing/builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createActivity } from "./activity.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { createRunObserver } from "./observe-runs.ts";

interface Scene {
  readonly probed: string[];
  /** Paths whose size was read. */
  readonly measured: string[];
  /** Somebody writes to a file of a run. */
  write(sessionId: string, name: string): void;
  pass(ms: number): Promise<void>;
  close(): void;
}

async function observe(count: number): Promise<Scene> {
  const sessions = new Map(Array.from({ length: count }, (_, n) => [`demo-${n}`, aSession({ id: `demo-${n}` })]));
  const [clock, activity] = [createFakeClock(1000), createActivity()];
  const [probed, measured]: [string[], string[]] = [[], []];
  const watchers = new Map<string, (name: string) => void>();
  const fs = {
    watch: (folder: string, onChange: (name: string) => void) => {
      watchers.set(folder, onChange);
      return () => undefined;
    },
    ring: async () => undefined,
    stat: async (path: string) => {
      measured.push(path);
      return null;
    },
    readBytes: async () => null,
  };
  const probe = async ({ sessionId }: { readonly sessionId: string }) => {
    probed.push(sessionId);
    return { kind: "alive", pid: 7 };
  };
  const deps = {
    host: { clock, fs, log: createSilentLog() },
    session: (id: string) => sessions.get(id),
    policyOf: () => null,
    agentOf: () => ({ decode: () => null }),
    runDir: (id: string) => `/runs/${id}`,
    runtimeOf: () => ({ probe }),
  } as unknown as EffectDeps;
  const world = { noteReport: () => undefined };
  const loop = { now: clock.now, trouble: () => null, readTo: () => 0, world } as unknown as Loop;
  const observer = createRunObserver({ loop, deps, activity });
  await observer.start(sessions.values());
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await activity.idle();
  };
  await pass(3000);
  for (const seen of [probed, measured]) seen.length = 0;
  return {
    probed,
    measured,
    write: (id, name) => watchers.get(`/runs/${id}`)?.(name),
    pass,
    close: observer.close,
  };
}

it("the agents of a large fleet are probed in turns, each once in three seconds", async () => {
  const scene = await observe(45);
  const counts: number[] = [];
  for (let second = 0; second < 3; second += 1) {
    await scene.pass(1000);
    counts.push(scene.probed.length);
  }
  expect(counts).toEqual([15, 30, 45]);
  expect(new Set(scene.probed).size).toBe(45);
  scene.close();
});

it("only the output of an agent that printed is measured, and everyone's once a minute", async () => {
  const scene = await observe(2);
  scene.write("demo-1", "err");
  await scene.pass(3000);
  expect(scene.measured).toEqual(["/runs/demo-1/out", "/runs/demo-1/err", "/runs/demo-1/screen"]);
  await scene.pass(3000);
  expect(scene.measured).toHaveLength(3);
  for (let probe = 0; probe < 17; probe += 1) await scene.pass(3000);
  expect(scene.measured.slice(3).sort()).toEqual(
    ["demo-0", "demo-1"].flatMap((id) => [`/runs/${id}/err`, `/runs/${id}/out`, `/runs/${id}/screen`]),
  );
  scene.close();
});
