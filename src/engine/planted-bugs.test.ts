import { describe, expect, it } from "vitest";
import { PluginError } from "../core/errors.ts";
import type { Host } from "../ports/host.ts";
import { aCreate } from "../testing/builders.ts";
import { type BedOptions, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { judge } from "../testing/engine-bed/judge.ts";
import { createPerson, liveOnce, registerProject } from "../testing/engine-bed/story.ts";
import type { Executor, Executors } from "./executor.ts";
import { executors } from "./executors/all.ts";

/** A life with a bug in it; returns the judge's findings. */
async function findFaults(options: BedOptions): Promise<readonly string[]> {
  const bed = await openEngineBed(options);
  const stuck = await liveOnce(bed).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...(await judge(bed))];
}

function plant<K extends keyof Executors>(kind: K, bug: Partial<Executor<K>>): Executors {
  return { ...executors, [kind]: { ...executors[kind], ...bug } };
}

const dieAt = (wanted: string) => (place: string) => place === wanted;

describe("the judge of the test bed complains about", () => {
  it("a double start: the run is started again without adopting the first", async () => {
    const bug = plant("start-run", {
      execute: async (spec, intentId, deps) => {
        const answer = await executors["start-run"].execute(spec, intentId, deps);
        await executors["start-run"].execute({ ...spec, run: spec.run + 100 }, intentId, deps);
        return answer;
      },
    });
    expect(await findFaults({ executors: bug })).toContain("start of a run demo-1/101 was not wanted");
  });

  it("a message that is resent without checking", async () => {
    const bug = plant("send-message", { reconcile: async () => ({ kind: "not-done" }) });
    const faults = await findFaults({ executors: bug, killAt: dieAt("execute:after send-message") });
    // The agent had confirmed it, so the engine still refuses to send it: the effect fails instead.
    expect(faults).toContainEqual(expect.stringMatching(/send-message.*is failed/));
  });

  it("a message that is assumed to be sent", async () => {
    const bug = plant("send-message", {
      reconcile: async () => ({ kind: "done", outcome: { kind: "message-written" } }),
    });
    const faults = await findFaults({ executors: bug, killAt: dieAt("execute:before send-message") });
    expect(faults).toContain("message m-task never happened");
  });

  it("a lost wake-up: neither a watch nor a probe makes the observer read an agent's output", async () => {
    const deaf = (host: Host): Host => ({
      ...host,
      fs: { ...host.fs, watch: () => () => undefined },
      clock: { ...host.clock, after: (ms, call) => (ms === 3000 ? () => undefined : host.clock.after(ms, call)) },
    });
    const faults = await findFaults({ host: deaf });
    expect(faults).toContain("Error: waited for: the pull request");
    expect(faults).toContain("message m-ask never happened");
  });

  it("a merge that is recorded before it is done", async () => {
    const bug = plant("merge-change", {
      reconcile: async ({ head }) => ({ kind: "done", outcome: { kind: "merged", commit: head, baseBefore: head } }),
    });
    const faults = await findFaults({ executors: bug, killAt: dieAt("execute:before merge-change") });
    expect(faults).toContain("merge 1 never happened");
  });

  it("an urgent notice that is assumed to be sent", async () => {
    const bug = plant("notify", { reconcile: async () => ({ kind: "done", outcome: { kind: "notified" } }) });
    const faults = await findFaults({ executors: bug, killAt: dieAt("execute:before notify") });
    expect(faults).toContainEqual(expect.stringMatching(/waited for: the notification/));
  });
});

describe("a dropped field", () => {
  /** How long after a rate limit of 300 s the notice is sent again. */
  async function retryAfterMs(options: BedOptions): Promise<number> {
    const bed = await openEngineBed(options);
    const person = createPerson(bed);
    await registerProject(person);
    const limit = { plugin: "hook", category: "rate-limited", message: "slow down", retryAfterMs: 300_000 } as const;
    bed.world.scripts.notifier.failNext("send", new PluginError(limit));
    await person.command(aCreate({ prompt: { inline: "!ask" } }), "create");
    await person.until("the first try", () => bed.world.scripts.notifier.count("send") === 1);
    const begun = bed.world.clock.now();
    for (let second = 0; second < 400 && bed.world.notifier.delivered.length === 0; second += 1)
      await bed.advance(1000);
    return bed.world.clock.now() - begun;
  }

  it("such as Retry-After is found: the next attempt comes too early", async () => {
    const bug = plant("notify", {
      execute: async (spec, intentId, deps) => {
        const outcome = await executors.notify.execute(spec, intentId, deps);
        return outcome.kind === "failed" ? { ...outcome, retryAfterMs: undefined } : outcome;
      },
    });
    expect(await retryAfterMs({ executors: bug })).toBeLessThan(60_000);
    expect(await retryAfterMs({})).toBeGreaterThanOrEqual(300_000);
  });
});
