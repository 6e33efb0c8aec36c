import { type Segment, within } from "../../core/activity/segment.ts";
import type { Track } from "../../core/activity/track.ts";
import type { World } from "../../core/world.ts";
import type { ActivityView, SegmentView } from "../../protocol/views/activity.ts";
import { toTime } from "../time.ts";

/** The sessions of a window for the time axis; omits those without data in it. */
export function toActivityView(
  tracks: ReadonlyMap<string, Track>,
  {
    world,
    since,
    now,
    project,
  }: {
    readonly world: World;
    readonly since: number;
    readonly now: number;
    readonly project: string | null;
  },
): ActivityView {
  const data = [...tracks].flatMap(([sessionId, track]) => {
    if (project !== null && world.session(sessionId)?.projectId !== project) return [];
    const agent = within(track.agent, since).map(toSegmentView);
    const checks = within(track.checks.segments, since).map(toSegmentView);
    const isMerged = track.mergedAt !== null && track.mergedAt >= since;
    if (agent.length === 0 && checks.length === 0 && !isMerged) return [];
    return [{ sessionId, agent, checks, mergedAt: isMerged ? toTime(track.mergedAt ?? 0) : null }];
  });
  return { since: toTime(since), now: toTime(now), data };
}

function toSegmentView<Kind>({ kind, from, to }: Segment<Kind>): SegmentView<Kind> {
  return { kind, from: toTime(from), to: to === null ? null : toTime(to) };
}
