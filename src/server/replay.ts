import { diffArrays } from "diff";
import { createReplay, type ReplayScope } from "../core/replay/replay.ts";
import { keyOfStep, type LoggedEvent } from "../core/replay/step.ts";
import type { World } from "../core/world.ts";
import type { ReplayBody } from "../protocol/bodies/rules.ts";
import type { ReplayView } from "../protocol/views/replay.ts";
import type { Actions } from "./actions.ts";
import { describeEvent } from "./event-text.ts";
import { findPullRequest } from "./find-pull-request.ts";
import { findSession } from "./find-session.ts";
import { publicName } from "./public-name.ts";
import { createPace, readLog } from "./read-log.ts";
import { toTime } from "./time.ts";

/** All that a replay needs of the rest. */
export interface ReplaySource extends Pick<Actions, "rulesOfText"> {
  readonly engine: Pick<Actions["engine"], "world" | "lastPosition">;
  readonly store: Pick<Actions["store"], "read">;
}

/** Older steps than these are left out. */
const MAX_ROWS = 2000;
/** The daemon acts slightly later than a deadline. */
const TOLERANCE_MS = 60_000;

/**
 * Replays the log through its own rules, and through those of a configuration if one is given. Only reads, lets the daemon do other
 * work meanwhile, and stops when its caller is gone.
 */
export async function replayLog(
  source: ReplaySource,
  body: ReplayBody,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<ReplayView> {
  const from = body.since === undefined ? 0 : Date.parse(body.since);
  const scope = scopeOf(source.engine.world, body);
  const own = createReplay({ scope, from, policies: new Map() });
  const other =
    body.config === undefined ? null : createReplay({ scope, from, policies: await source.rulesOfText(body.config) });
  const replays = other === null ? [own] : [own, other];
  const pace = createPace({ signal });
  await pace.rest();
  const section = { after: 0, until: source.engine.lastPosition(), pace };
  const events = await readLog(source.store, section, (logged) => {
    for (const one of replays) one.next(logged);
  });
  for (const one of replays) one.finish(now);
  const rows =
    other === null ? compare(own.recorded, own.decided, TOLERANCE_MS) : compare(own.decided, other.decided, 0);
  return {
    since: body.since === undefined ? null : toTime(from),
    events,
    data: rows.slice(-MAX_ROWS).map(({ mark, step: { at, stream, event } }) => ({
      at: toTime(at),
      stream: publicName(stream),
      mark,
      text: describeEvent(event),
    })),
    leftOff: Math.max(0, rows.length - MAX_ROWS),
    before: count(other === null ? own.recorded : own.decided),
    after: count((other ?? own).decided),
  };
}

function scopeOf(world: World, { session, pullRequest }: ReplayBody): ReplayScope {
  if (pullRequest !== undefined) return { changeKey: findPullRequest(world, pullRequest, null).key };
  return session === undefined ? null : { sessionId: findSession(world, session).id };
}

type Mark = ReplayView["data"][number]["mark"];

interface Row {
  readonly mark: Mark;
  readonly step: LoggedEvent;
}

function compare(before: readonly LoggedEvent[], after: readonly LoggedEvent[], toleranceMs: number): readonly Row[] {
  const keys = new Map([...before, ...after].map((step) => [step, keyOfStep(step)]));
  const comparator = (one: LoggedEvent, two: LoggedEvent): boolean =>
    keys.get(one) === keys.get(two) && Math.abs(one.at - two.at) <= toleranceMs;
  return diffArrays([...before], [...after], { comparator }).flatMap(({ value, added, removed }) =>
    value.map((step): Row => ({ mark: added ? "added" : removed ? "removed" : "same", step })),
  );
}

function count(steps: readonly LoggedEvent[]): ReplayView["before"] {
  const of = (...types: readonly string[]): number => steps.filter(({ event }) => types.includes(event.type)).length;
  return {
    messages: of("reaction.sent"),
    notifications: of("problem.escalated", "notice.raised"),
    merges: of("merge.requested"),
    actions: of("reaction.taken"),
  };
}
