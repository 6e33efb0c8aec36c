import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { type ActivityById, activityQuery, mergedQuery } from "../../data/fleet-queries.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { type RowNote, useRowNotes } from "../../data/row-notes.ts";
import { hoursOf, WINDOWS, type Window } from "../../lib/axis.ts";
import { useNow } from "../../lib/now.ts";
import { isToday } from "../../lib/time.ts";
import { oneOf, useParam, useProject } from "../../lib/url-state.ts";
import { filterSessions, GROUPINGS, type Grouping, groupSessions, type SessionGroup } from "./group-sessions.ts";

export interface Fleet {
  /** Sessions of the chosen project; undefined: not loaded. */
  readonly sessions: readonly SessionView[] | undefined;
  /** Filtered and grouped. */
  readonly groups: readonly SessionGroup[];
  readonly merged: readonly PullRequestView[];
  readonly activity: ActivityById | undefined;
  readonly window: Window;
  readonly grouping: Grouping;
  readonly filter: string;
}

const DAY_MS = 86_400_000;

/** What the Fleet page shows, according to its URL. */
export function useFleet(): Fleet {
  const project = useProject();
  const window = oneOf(WINDOWS, useParam("w")[0]);
  const grouping = oneOf(GROUPINGS, useParam("group")[0]);
  const filter = useParam("q")[0] ?? "";
  const { data } = useQuery(sessionsQuery());
  const { data: activity } = useQuery(activityQuery(hoursOf(window)));
  const merged = useMergedToday(project);
  const notes = useRowNotes();
  const sessions = useMemo(
    () => data && withStopped(data.data, notes).filter((session) => project === null || session.projectId === project),
    [data, notes, project],
  );
  const groups = useMemo(
    () => groupSessions(filterSessions(sessions ?? [], filter), grouping),
    [sessions, filter, grouping],
  );
  const showsMerged = filter === "" || filter.includes("is:merged");
  return { sessions, groups, merged: showsMerged ? merged : [], activity, window, grouping, filter };
}

/** The sessions, plus those just stopped, whose rows offer to restore them. */
function withStopped(sessions: readonly SessionView[], notes: ReadonlyMap<string, RowNote>): readonly SessionView[] {
  const known = new Set(sessions.map(({ id }) => id));
  const stopped = [...notes.values()].flatMap((note) => note.stopped ?? []).filter(({ id }) => !known.has(id));
  return stopped.length === 0 ? sessions : [...sessions, ...stopped];
}

/** Pull requests merged today, newest first. */
export function useMergedToday(project: string | null): readonly PullRequestView[] {
  const { data } = useQuery(mergedQuery());
  const day = useNow((now) => Math.floor(now / DAY_MS));
  return useMemo(
    () =>
      (data?.data ?? [])
        .filter(({ updatedAt }) => isToday(updatedAt, Math.max(day * DAY_MS, Date.now())))
        .filter(({ projectId }) => project === null || projectId === project)
        .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)),
    [data, project, day],
  );
}
