import { setImmediate as turn } from "node:timers/promises";

/** The middle value. */
export function median(values) {
  return percentile(values, 50);
}

/** The value that this percentage of samples does not exceed (nearest rank). */
export function percentile(values, percent) {
  if (values.length === 0) throw new Error("no samples");
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/**
 * Takes samples of several tasks in turns, so that a busy moment of the machine hits all of them alike. Each task gives
 * its own duration in milliseconds; the first of every round changes, since the one after a pause is slower.
 */
export async function interleave(tasks, { rounds, warmUp = 1 }) {
  const names = Object.keys(tasks);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(place + Math.abs(round)) % names.length];
      // Programs run synchronously; Ctrl-C is noticed only between them.
      await turn();
      const taken = await tasks[name]();
      if (round >= 0) samples[name].push(taken);
    }
  }
  return samples;
}

/** How long something took, in milliseconds. */
export async function timed(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}
