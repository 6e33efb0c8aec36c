import type { ChangeEvent } from "./events.ts";
import type { QueuePlace } from "./merge-request.ts";
import type { ChangeObservation } from "./observation.ts";
import type { ChangeState } from "./state.ts";

/** What the forge's merge queue did to a pull request in it; known facts give nothing. */
export function decideQueue({ mergeRequest }: ChangeState, { queue: seen }: ChangeObservation): readonly ChangeEvent[] {
  const place = mergeRequest?.queue;
  if (place === undefined || seen === undefined) return [];
  const { position, removal } = seen;
  if (position !== null) return position === place.position ? [] : [{ type: "merge.queued", ...place, position }];
  // Without a newer removal than the last known one, this was seen before it joined the queue.
  if (removal === null || removal.id === place.removal) return [];
  if (removal.cause === "person") return [{ type: "merge.cancelled", by: "somebody" }];
  const { reason, cause, check } = removal;
  const failed = check === undefined ? {} : { check: { name: check.name, log: check.log } };
  return [{ type: "merge.dequeued", name: place.name, reason, isFailure: cause === "failure", ...failed }];
}

/** Its place in a queue, for people. */
export function describeQueue({ name, position }: QueuePlace): string {
  return position === null ? `in ${name}` : `in ${name}, position ${position}`;
}
