import { expect, it } from "vitest";
import { createSilentLog } from "../platform/log.ts";
import { aSession } from "../testing/builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createActivity } from "./activity.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { createRunObserver } from "./observe-runs.ts";

it("the agents of a large fleet are probed in turns, each once in three seconds", async () => {
  const sessions = new Map(Array.from({ length: 45 }, (_, n) => [`demo-${n}`, aSession({ id: `demo-${n}` })]));
  const [clock, activity] = [createFakeClock(1000), createActivity()];
  const probed: string[] = [];
  const fs = {
    watch: () => () => undefined,
    ring: async () => undefined,
    stat: async () => null,
    readBytes: async () => null,
  };
  const deps = {
    host: { clock, fs, log: createSilentLog() },
    session: (id: string) => sessions.get(id),
    policyOf: () => null,
    agentOf: () => ({ decode: () => null }),
    runDir: (id: string) => `/runs/${id}`,
    runtimeOf: () => ({
      probe: async ({ sessionId }: { readonly sessionId: string }) => {
        probed.push(sessionId);
        return { kind: "alive", pid: 7 };
      },
    }),
  } as unknown as EffectDeps;
  const loop = { now: clock.now, world: { noteReport: () => undefined } } as unknown as Loop;
  const observer = createRunObserver({ loop, deps, activity, positions: new Map() });
  await observer.start(sessions.values());
  await clock.advance(3000);
  await activity.idle();
  probed.length = 0;
  const counts: number[] = [];
  for (let second = 0; second < 3; second += 1) {
    await clock.advance(1000);
    await activity.idle();
    counts.push(probed.length);
  }
  expect(counts).toEqual([15, 30, 45]);
  expect(new Set(probed).size).toBe(45);
  observer.close();
});
