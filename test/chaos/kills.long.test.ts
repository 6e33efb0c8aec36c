import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { isFull } from "../../src/testing/full.ts";
import { type Fleet, makeFleet, processesOf } from "../support/fleet.ts";
import { judgeDeliveries } from "../support/judge.ts";
import { seededRandom } from "../support/random.ts";
import { sideBySide } from "../support/side-by-side.ts";
import { until } from "../support/until.ts";
import { findHolderShells } from "../support/victims.ts";

// A round for every change; the count that finds rare failures is for the full run.
const KILLS = isFull ? 300 : 10;
/** One round has this many kills; then everything must be delivered and judged. */
const KILLS_PER_ROUND = 10;
/** Rounds that run in parallel: they mostly wait. */
const SIDE_BY_SIDE = 3;
const SESSIONS = ["first", "second", "third"];

const KINDS = ["daemon", "agent", "holder"] as const;
type Kind = (typeof KINDS)[number];

/** Kills the daemon, an agent or a holder; the daemon if none of the chosen kind is alive. */
async function strike(fleet: Fleet, random: () => number): Promise<Kind> {
  const kind = KINDS[Math.floor(random() * KINDS.length)] ?? "daemon";
  if (kind !== "daemon" && strikeOne(fleet, kind, random)) return kind;
  await fleet.kill();
  return "daemon";
}

function strikeOne(fleet: Fleet, kind: Exclude<Kind, "daemon">, random: () => number): boolean {
  const holders = findHolderShells(fleet.home);
  const everyone = processesOf(fleet.home);
  const candidates = kind === "holder" ? holders : everyone.filter((pid) => !holders.includes(pid));
  const victim = candidates[Math.floor(random() * candidates.length)];
  if (victim === undefined) return false;
  try {
    process.kill(victim, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

async function liveRound(
  seed: number,
): Promise<{ readonly faults: readonly string[]; readonly struck: Record<string, number> }> {
  const random = seededRandom(seed);
  const fleet = await makeFleet();
  const sent = new Map<string, string[]>();
  const struck: Record<string, number> = {};
  try {
    await fleet.write("POST", "/api/projects", { path: fleet.repo });
    for (const title of SESSIONS) {
      const prompt = `task of ${title}\n!write ${title}.txt dirty`;
      const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title, prompt });
      sent.set(body.id, [prompt]);
    }
    for (let kill = 0; kill < KILLS_PER_ROUND; kill += 1) {
      for (const [id, texts] of sent) {
        const text = `message ${texts.length} of ${id}`;
        texts.push(text);
        await fleet.write("POST", `/api/sessions/${id}/message`, { content: text });
      }
      // Only the moment of the kill must be random in time.
      await pause(random() * 150);
      const kind = await strike(fleet, random);
      struck[kind] = (struck[kind] ?? 0) + 1;
    }
    return { faults: await judge(fleet, sent), struck };
  } finally {
    await fleet.dispose();
  }
}

async function judge(fleet: Fleet, sent: ReadonlyMap<string, readonly string[]>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [id, texts] of sent) {
    await until(`every message of ${id} to be confirmed`, async () => {
      if (!fleet.isUp()) await fleet.start();
      const session = await fleet.session(id);
      if (session.status === "exited") await fleet.write("POST", `/api/sessions/${id}/restore`, {});
      return session.messages.every((message) => message.delivery === "delivered");
    }).catch((error: unknown) => faults.push(String(error)));
    faults.push(...judgeDeliveries(texts, fleet.diary(id), fleet.receipts(id)));
    const session = await fleet.session(id);
    const diff = (await fleet.api<{ diff: string }>("GET", `/api/sessions/${id}/diff`)).body.diff;
    if (!diff.includes("+dirty")) faults.push(`${session.id}: its uncommitted file is gone`);
  }
  return faults;
}

describe("SIGKILL at random moments", () => {
  it(`loses and doubles nothing in ${KILLS} kills of daemon, agents and holders`, async () => {
    const failures: string[] = [];
    const total: Record<string, number> = {};
    const seeds = Array.from({ length: KILLS / KILLS_PER_ROUND }, (_, round) => 1000 + round);
    await sideBySide(seeds, SIDE_BY_SIDE, async (seed) => {
      const { faults, struck } = await liveRound(seed);
      failures.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
      for (const [kind, count] of Object.entries(struck)) total[kind] = (total[kind] ?? 0) + count;
    });
    console.log(`killed: ${JSON.stringify(total)}`);
    expect(failures).toEqual([]);
    expect(Object.values(total).reduce((sum, count) => sum + count, 0)).toBe(KILLS);
    expect(total["daemon"]).toBeGreaterThan(0);
    expect((total["agent"] ?? 0) + (total["holder"] ?? 0)).toBeGreaterThan(0);
  });
});
