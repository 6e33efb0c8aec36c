import type { StreamState } from "../../core/evolve.ts";
import { holdsSlot } from "../../core/slot.ts";
import type { StreamId } from "../../core/stream.ts";
import { noFaults } from "../../engine/fault.ts";
import { createLoop } from "../../engine/loop.ts";
import { type Batch, NO_CHANGES, type Store } from "../../ports/store.ts";
import { createFakeClock, type FakeClock } from "../fake-clock.ts";
import { createMemoryStore } from "../memory-store.ts";
import { LONG_TITLES, PROJECTS, samplePolicy, TITLES } from "./sample.ts";
import { MADE_UP, type SampleCommits } from "./sample-repository.ts";
import { beginStory, type Cast, FIRST_PAST, type Step } from "./session-story.ts";
import { createSimulatedFleet, type SimulatedFleet } from "./simulated-fleet.ts";
import { STORIES, type StoryName } from "./stories.ts";

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** Days of merged work before today. */
const PAST_DAYS = 13;

/** The notable sessions of a fleet of this size; all others are working. */
const NOTABLE: readonly StoryName[] = [
  "question",
  "fixing",
  "working",
  "permission",
  "escalated",
  "no-signal",
  "mergeable",
  "review",
  "review-again",
  "checks-running",
  "addressing-review",
  "conflict",
  "rate-limited",
  "uncommitted",
  "exited",
  "stopped",
];

export interface SeedOptions {
  readonly count: number;
  readonly now: number;
  readonly paths: Readonly<Record<string, string>>;
  /** The commits in the repositories at these paths; without them, pull requests have no diff. */
  readonly commits?: SampleCommits;
}

/** The numbers of all current and past sessions of a fleet of this size. */
export function sessionNumbers(count: number): readonly number[] {
  const live = Array.from({ length: count }, (_, n) => n);
  return [...live, ...Array.from({ length: pastOf(count) }, (_, n) => FIRST_PAST + n)];
}

// How many sessions are already merged.
function pastOf(live: number): number {
  return live === 0 ? 0 : Math.max(12, Math.min(live, 40));
}

/** Fills a store with a fleet of this many sessions in every state, at this moment. The core decides every event. */
export async function seedFleet(store: Store, { count, now, paths, commits = MADE_UP }: SeedOptions): Promise<void> {
  const recorded = recordBatches(createMemoryStore());
  const clock = createFakeClock(now - (PAST_DAYS + 1) * DAY_MINUTES * MINUTE);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
  const loaded = await recorded.store.load();
  const loop = createLoop({ store: recorded.store, loaded, clock, log, faults: noFaults });
  const fleet = createSimulatedFleet(loop, commits);
  await registerAll(fleet, paths);
  const queued = Math.floor(count / 5);
  const seeding = { fleet, clock, now };
  for (const step of planSteps(count - queued, now)) {
    await moveTo(seeding, step.at);
    await step.run(fleet);
  }
  await moveTo(seeding, now - MINUTE);
  await queueUp(fleet, count - queued, queued);
  await moveTo(seeding, now);
  loop.close();
  const start = (await store.load()).lastPosition;
  await store.append(recorded.all(), start);
}

interface Seeding {
  readonly fleet: SimulatedFleet;
  readonly clock: FakeClock;
  /** The moment at which the fleet is shown. */
  readonly now: number;
}

async function registerAll(fleet: SimulatedFleet, paths: Readonly<Record<string, string>>): Promise<void> {
  await fleet.submit({ type: "daemon.up", version: "0.1.0", pid: 1 });
  await fleet.submit({ type: "fleet.limit", limit: 10_000 });
  for (const { id, checks } of PROJECTS) {
    const path = paths[id] ?? `/home/mara/code/${id}`;
    const facts = { id, name: id, path, repo: null, defaultBranch: "main", sessionPrefix: id };
    await fleet.submit({
      type: "project.register",
      ...facts,
      configFile: `${path}/agent-orchestrator.yaml`,
      limit: null,
    });
    await fleet.submit({ type: "project.policy", id, policy: samplePolicy(checks) });
    await fleet.submit({ type: "base.moved", projectId: id, head: fleet.commits.base });
  }
}

interface Timed extends Step {
  readonly at: number;
}

function planSteps(live: number, now: number): readonly Timed[] {
  const steps: Timed[] = [];
  const tell = (cast: Cast, name: StoryName, minutesAgo: number): void => {
    const telling = beginStory(cast);
    STORIES[name](telling, minutesAgo);
    const start = now - minutesAgo * MINUTE;
    steps.push(...telling.steps.map((step) => ({ ...step, at: start + step.minute * MINUTE })));
  };
  for (let n = 0; n < live; n += 1) tell(castOf(n), NOTABLE[n % 48] ?? "working", 70 + ((n * 37) % 130));
  for (let n = 0; n < pastOf(live); n += 1) {
    const isToday = n % 3 === 0;
    const minutesAgo = isToday ? 60 + ((n * 53) % 600) : DAY_MINUTES * (1 + (n % PAST_DAYS)) + ((n * 97) % 700);
    tell(castOf(FIRST_PAST + n), "merged", minutesAgo);
  }
  return steps.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
}

function castOf(n: number): Cast {
  const project = PROJECTS[[0, 1, 0, 2, 1][n % 5] ?? 0] ?? PROJECTS[0];
  const titles = TITLES[project.id];
  const title = LONG_TITLES[n];
  if (title !== undefined) return { n, projectId: project.id, issue: null, title };
  const short = titles[Math.floor(n / 2) % titles.length] ?? "Fix it";
  return { n, projectId: project.id, issue: String(90 + n), title: short };
}

// In small steps toward the end, so that deadlines are met as they would be.
async function moveTo({ fleet, clock, now }: Seeding, at: number): Promise<void> {
  while (clock.now() < at) {
    const isPast = clock.now() < now - 5 * 60 * MINUTE;
    if (isPast) await clock.advance(Math.min(at - clock.now(), 12 * 60 * MINUTE));
    else await pass(clock, Math.min(at - clock.now(), 3 * MINUTE));
    await fleet.submit({ type: "timer" });
    await fleet.settle();
  }
}

// By the loop's own intervals: a jump would look like a sleeping machine, on which no agent is silent for too long.
async function pass(clock: FakeClock, ms: number): Promise<void> {
  const until = clock.now() + ms;
  while (clock.now() < until) {
    const next = Math.max(clock.now() + 1, clock.nextAt() ?? until);
    await clock.advance(Math.min(next, until) - clock.now());
  }
}

// The limit is what is busy at the end, so that newcomers wait for a slot.
async function queueUp(fleet: SimulatedFleet, from: number, queued: number): Promise<void> {
  const busy = [...fleet.loop.world.view.activeSessions()].filter(holdsSlot).length;
  await fleet.submit({ type: "fleet.limit", limit: Math.max(5, busy) });
  if (busy < 5) return;
  for (let n = from; n < from + queued; n += 1) {
    const [created] = beginStory(castOf(n)).steps;
    await created?.run(fleet);
  }
}

interface Recorder {
  readonly store: Store;
  /** Everything written, as one batch. */
  all(): Batch;
}

function recordBatches(store: Store): Recorder {
  const events: Batch["events"][number][] = [];
  const states = new Map<StreamId, { readonly state: StreamState; readonly wakeAt: number | null }>();
  return {
    store: {
      ...store,
      append: async (batch, expected) => {
        events.push(...batch.events);
        for (const { stream, state, wakeAt } of batch.states) states.set(stream, { state, wakeAt });
        return store.append(batch, expected);
      },
    },
    all: () => ({
      ...NO_CHANGES,
      events,
      states: [...states].map(([stream, row]) => ({ stream, ...row })),
      durable: true,
    }),
  };
}
