import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { tempDir } from "../../src/testing/temp.ts";
import type { LoopFleet } from "../support/loop.ts";
import { seededRandom } from "../support/random.ts";
import { ANSWER_MS, HARDSHIPS, type Hardship, impose, mountHome, type Stage, unmountHome } from "./hardships.ts";
import { beginKeeper, type Keeper } from "./keeper.ts";
import { beginAll, playPerson } from "./loop-person.ts";
import { judgeRound, makeRound } from "./loop-round.ts";
import type { LoopTask } from "./loop-tasks.ts";

const entry = fileURLToPath(new URL("../fixtures/faulty-daemon.mjs", import.meta.url));

export interface HardRound {
  readonly seed: number;
  readonly tasks: readonly LoopTask[];
  /** How many hardships, of which kinds; the default is all of them. */
  readonly count: number;
  readonly kinds?: readonly Hardship[];
  /** A bug to plant into the daemon. */
  readonly plant?: string;
  readonly pruneAge?: string;
  readonly holdMs: number;
  readonly asking?: number;
  /** How long everything may take to finish. */
  readonly limitMs: number;
}

export interface HardResult {
  readonly faults: readonly string[];
  readonly imposed: readonly Hardship[];
  /** The longest wait for an answer from a daemon that was not frozen. */
  readonly slowestMs: number;
}

/** Runs tasks to their merge under hardships; returns what was lost, doubled or waited for too long. */
export async function liveHardRound(round: HardRound): Promise<HardResult> {
  const skew = join(tempDir("ao-skew-"), "ms");
  const fleet = await makeRound(round.tasks, { entry, env: { AO_SKEW: skew, AO_PLANT: round.plant ?? "" } });
  const isMounted = mountHome(fleet);
  try {
    const stage: Stage = {
      fleet,
      skew,
      random: seededRandom(round.seed),
      skewMs: 0,
      frozenMs: 0,
      waits: [],
      holdMs: round.holdMs,
      asking: round.asking ?? 0,
      pruneAge: round.pruneAge ?? "10.seconds.ago",
    };
    return await live(stage, round, isMounted);
  } finally {
    await fleet.kill();
    if (isMounted) unmountHome(fleet);
    await fleet.dispose();
  }
}

async function live(stage: Stage, round: HardRound, isMounted: boolean): Promise<HardResult> {
  const { fleet } = stage;
  const { limitMs } = round;
  await fleet.open();
  const begun = await beginAll(fleet, round.tasks);
  const keeper = await beginKeeper(fleet, limitMs);
  const life = { isOver: false };
  const faults: string[] = [];
  const note = (error: unknown): void => void faults.push(String(error));
  const watching = watchAnswers(stage, life);
  const kinds = (round.kinds ?? HARDSHIPS).filter((kind) => isMounted || kind !== "full-disk");
  const imposing = imposeInTurn(stage, kinds, round.count);
  const keeping = keepBusy(stage, keeper, { until: imposing, kinds });
  const [imposed] = await Promise.all([imposing, keeping.catch(note), playPerson(fleet, begun, limitMs).catch(note)]);
  life.isOver = true;
  const slowestMs = await watching;
  faults.push(...stage.waits, ...(await keeper.judge()), ...(await judgeRound(fleet, begun, [])));
  return { faults, imposed, slowestMs };
}

async function imposeInTurn(stage: Stage, kinds: readonly Hardship[], count: number): Promise<readonly Hardship[]> {
  const imposed: Hardship[] = [];
  let order: readonly Hardship[] = [];
  while (imposed.length < count) {
    if (order.length === 0) order = shuffle(kinds, stage.random);
    const [kind = "gc", ...later] = order;
    order = later;
    // Only the moment must be random in time.
    await pause(stage.random() * 400);
    await impose(stage, kind);
    imposed.push(kind);
  }
  return imposed;
}

function shuffle<T>(all: readonly T[], random: () => number): readonly T[] {
  const keyed = all.map((one) => ({ one, at: random() }));
  return keyed.sort((first, second) => first.at - second.at).map(({ one }) => one);
}

/** Stops, restores and messages the keeper until there are no more hardships, at least once each. */
async function keepBusy(
  stage: Stage,
  keeper: Keeper,
  { until, kinds }: { readonly until: Promise<unknown>; readonly kinds: readonly Hardship[] },
): Promise<void> {
  const life = { isOver: false };
  void until.finally(() => {
    life.isOver = true;
  });
  const has = (kind: Hardship): boolean => kinds.includes(kind);
  const prune = async (): Promise<void> => {
    for (const kind of ["prune", "gc"] as const) if (has(kind)) await impose(stage, kind);
  };
  do {
    await pause(stage.random() * 300);
    await keeper.tell();
    if (has("prune") || has("gc")) await keeper.rest(prune);
    await keeper.tell(has("full-disk") ? 0.5 + stage.random() * 3 : undefined);
  } while (!life.isOver);
}

/** Polls continuously and records how long an answer took beyond the time that the daemon was frozen. */
async function watchAnswers(stage: Stage, life: { readonly isOver: boolean }): Promise<number> {
  let slowestMs = 0;
  while (!life.isOver) {
    const [since, frozenMs] = [Date.now(), stage.frozenMs];
    // A daemon that is killed or restarting answers nobody, which does not count as a wait.
    const isAnswered = await isAnswering(stage.fleet);
    const tookMs = Date.now() - since - (stage.frozenMs - frozenMs);
    if (isAnswered) slowestMs = Math.max(slowestMs, tookMs);
    await pause(150);
  }
  if (slowestMs > ANSWER_MS) stage.waits.push(`an answer took ${slowestMs} ms`);
  return slowestMs;
}

async function isAnswering({ api }: LoopFleet): Promise<boolean> {
  return api("GET", "/api/sessions").then(
    () => true,
    () => false,
  );
}
