import type { ChangeState } from "../change/state.ts";
import type { SessionState } from "../session/state.ts";
import type { World } from "../world.ts";
import { type Cost, deriveCost, partsOf } from "./cost.ts";
import { describeCost, formatMoney } from "./format.ts";
import { pricesOf } from "./list-prices.ts";

/** What a pull request cost. */
export interface Spent {
  /** Its session, and attempts at the same task that came to nothing. */
  readonly total: Cost;
  /** The part of its session that went into failed checks and conflicts. */
  readonly fixes: Cost;
  /** Stopped sessions of the same task that merged nothing. */
  readonly discarded: Cost;
}

/** What a pull request cost so far; null: it has no session, or nothing was used. */
export function spentOn(world: World, change: ChangeState): Spent | null {
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  if (session === undefined) return null;
  const prices = pricesOf(world);
  const own = partsOf(session);
  const discarded = discardedAttempts(world, session).flatMap(partsOf);
  const total = deriveCost([...own, ...discarded], prices);
  if (describeCost(total) === null) return null;
  return {
    total,
    fixes: deriveCost(
      own.filter(({ reason }) => reason === "fixes"),
      prices,
    ),
    discarded: deriveCost(discarded, prices),
  };
}

/** Money spent and wasted: `$1.42, wasted: $0.31 on fixes, $0.20 on discarded attempts`. */
export function describeSpent({ total, fixes, discarded }: Spent): string {
  const wasted = [["fixes", fixes] as const, ["discarded attempts", discarded] as const].flatMap(([what, cost]) =>
    describeCost(cost) === null ? [] : [`${formatMoney(cost)} on ${what}`],
  );
  return `${formatMoney(total)}, ${wasted.length === 0 ? "nothing wasted" : `wasted: ${wasted.join(", ")}`}`;
}

// A prompt without an issue is a task of its own, which has one session.
function discardedAttempts(world: World, { id, taskKey, issue }: SessionState): readonly SessionState[] {
  if (issue === null) return [];
  const known = [...world.sessions(), ...world.archive.sessionsNamed(`#${issue}`)];
  const others = new Map(known.map((session) => [session.id, session]));
  return [...others.values()].filter(
    (other) => other.id !== id && other.taskKey === taskKey && other.phase === "stopped" && !hasMerged(world, other.id),
  );
}

function hasMerged(world: World, sessionId: string): boolean {
  for (const change of world.changesOf(sessionId)) if (change.phase === "merged") return true;
  return false;
}
