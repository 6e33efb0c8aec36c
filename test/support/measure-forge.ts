import type { ChangeState } from "../../src/core/change/state.ts";
import type { Scm } from "../../src/ports/scm.ts";
import type { Loaded, Store } from "../../src/ports/store.ts";
import { aCreate } from "../../src/testing/builders.ts";
import { type EngineBed, openEngineBed } from "../../src/testing/engine-bed/engine-bed.ts";
import { aReportedCheck, FORGE_POLICY, forgeOf } from "../../src/testing/engine-bed/forge-story.ts";
import { createPerson, registerProject } from "../../src/testing/engine-bed/story.ts";
import type { Ports } from "../../src/testing/engine-bed/world.ts";
import { createMemoryStore } from "../../src/testing/memory-store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** So many pull requests fit into one request of the plugin for GitHub. */
const AT_ONCE = 50;

export interface ForgeFigures {
  readonly pullRequests: number;
  /** Requests in an hour. */
  readonly polling: number;
  /** Requests in an hour in which one check turns red. */
  readonly pollingRed: number;
  readonly webhooks: number;
  readonly webhooksRed: number;
  /** From the red check until its agent has the message, on the clock of the fleet. */
  readonly pollingMs: number;
  /** The same in real time, from the delivery. */
  readonly webhookMs: number;
}

/** What watching so many pull requests on a forge costs: the real engine on a clock and a forge of the test. */
export async function measureForge(pullRequests: number): Promise<ForgeFigures> {
  const counter = { requests: 0 };
  const bed = await openFleet(pullRequests, counter);
  const inAnHour = async (begin: () => Promise<void> = async () => undefined): Promise<number> => {
    const before = counter.requests;
    await begin();
    await bed.advance(HOUR);
    return counter.requests - before;
  };
  const polling = await inAnHour();
  let pollingMs = Number.NaN;
  const pollingRed = await inAnHour(async () => {
    pollingMs = await timeRedCheck(bed, "run-1");
  });
  deliver(bed, []);
  await bed.advance(HOUR);
  const webhooks = await inAnHour(async () => deliver(bed, []));
  let webhookMs = Number.NaN;
  const webhooksRed = await inAnHour(async () => {
    webhookMs = await timeDelivery(bed, "run-2");
  });
  await bed.engine.close();
  return { pullRequests, polling, pollingRed, webhooks, webhooksRed, pollingMs, webhookMs };
}

/** A session with its pull request, and further pull requests like it, after ten quiet minutes. */
async function openFleet(count: number, counter: { requests: number }): Promise<EngineBed> {
  const store = createMemoryStore();
  let isOne = true;
  const grown: Store = {
    ...store,
    load: async () => {
      const loaded = await store.load();
      return isOne ? loaded : { ...loaded, states: withCopies(loaded.states, count) };
    },
  };
  const ports = ({ scm }: Ports): Partial<Ports> => ({ scm: counting(scm, counter) });
  const bed = await openEngineBed({ isRemote: true, store: grown, ports });
  const person = createPerson(bed);
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy of the forge");
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change()?.forge !== undefined);
  await person.until("an agent at rest", () => person.session()?.activity.state === "idle");
  bed.kill();
  isOne = false;
  await bed.restart();
  await bed.advance(10 * MINUTE);
  return bed;
}

function withCopies(states: Loaded["states"], count: number): Loaded["states"] {
  const grown = new Map(states);
  const first = states.get("change:demo/1") as ChangeState;
  for (let number = 2; number <= count; number += 1) {
    const own = { key: `demo/${number}`, number, branch: `agent/issue-${number}`, sessionId: null, issue: null };
    grown.set(`change:demo/${number}`, { ...first, ...own, url: `https://forge.test/pull/${number}` });
  }
  return grown;
}

function counting(scm: Scm, counter: { requests: number }): Scm {
  const { remote } = scm;
  if (remote === undefined) return scm;
  const readChanges: typeof remote.readChanges = (project, changes) => {
    counter.requests += Math.ceil(changes.length / AT_ONCE);
    return remote.readChanges(project, changes);
  };
  return { ...scm, remote: { ...remote, readChanges } };
}

function turnRed(bed: EngineBed, run: string): void {
  forgeOf(bed).report(1, { checks: [aReportedCheck(run, "failed")] });
}

function messages({ world }: EngineBed): number {
  return world.diary.filter(({ text }) => text.includes("!commit fixed.txt")).length;
}

async function timeRedCheck(bed: EngineBed, run: string): Promise<number> {
  const before = messages(bed);
  const from = bed.world.clock.now();
  turnRed(bed, run);
  while (messages(bed) === before) await bed.advance(1000);
  return bed.world.clock.now() - from;
}

async function timeDelivery(bed: EngineBed, run: string): Promise<number> {
  const before = messages(bed);
  turnRed(bed, run);
  const from = performance.now();
  deliver(bed, [1]);
  await bed.idle();
  if (messages(bed) === before) throw new Error("the delivery did not reach the agent");
  return performance.now() - from;
}

function deliver(bed: EngineBed, numbers: readonly number[]): void {
  bed.engine.report({ repository: "https://forge.test", numbers, commits: [], branches: [], isAboutAll: false });
}
