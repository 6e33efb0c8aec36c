import { queryOptions } from "@tanstack/react-query";
import type { StripActivity } from "../lib/strip-geometry.ts";
import { call } from "./call.ts";

/** The activity of sessions by their ids. */
export type ActivityById = ReadonlyMap<string, StripActivity>;

export const ACTIVITY_KEY = ["activity"];

/** Every session's activity in the last hours. The stream keeps it current. */
export const activityQuery = (hours: number) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, hours],
    queryFn: async ({ signal }): Promise<ActivityById> => {
      const since = new Date(Date.now() - hours * 3_600_000 + CLOCK_SKEW_MS).toISOString();
      const { data } = await call("GET /api/activity", { input: { since }, signal });
      return new Map(data.map(({ sessionId, ...activity }) => [sessionId, activity]));
    },
  });

/** The daemon rejects times more than a day back, and its clock may be ahead of this one. */
const CLOCK_SKEW_MS = 60_000;

/** Used and allowed slots. Refetched when a session changes. */
export const capacityQuery = () =>
  queryOptions({ queryKey: ["capacity"], queryFn: ({ signal }) => call("GET /api/capacity", { signal }) });

export const mergedQuery = () =>
  queryOptions({
    queryKey: ["pull-requests", "merged"],
    queryFn: ({ signal }) => call("GET /api/pull-requests", { input: { state: "merged" }, signal }),
  });

/** Resolved needs. Refetched when the inbox changes. */
export const resolvedQuery = () =>
  queryOptions({
    queryKey: ["inbox-put-off", "resolved"],
    queryFn: ({ signal }) => call("GET /api/inbox/resolved", { signal }),
  });

/** Dismissed or snoozed inbox entries. */
export const putOffQuery = (show: "dismissed" | "snoozed") =>
  queryOptions({
    queryKey: ["inbox-put-off", show],
    queryFn: ({ signal }) => call("GET /api/inbox", { input: { show }, signal }),
  });
