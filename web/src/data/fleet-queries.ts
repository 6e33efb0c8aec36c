import { queryOptions } from "@tanstack/react-query";
import { readAnswer } from "../../../src/protocol/request.ts";
import type { StripActivity } from "../lib/strip-geometry.ts";
import { call } from "./call.ts";

/** The activity of sessions by their ids. */
export type ActivityById = ReadonlyMap<string, StripActivity>;

export const ACTIVITY_KEY = ["activity"];

interface ActivityView {
  readonly data: readonly (StripActivity & { readonly sessionId: string })[];
}

interface CapacityView {
  readonly slots: { readonly used: number; readonly limit: number | null };
  readonly projects: readonly { readonly projectId: string; readonly used: number; readonly limit: number | null }[];
}

async function get<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(path, { signal });
  return readAnswer({ status: response.status, text: await response.text() }) as Answer;
}

/** What every session did in the last hours. The stream keeps it current. */
export const activityQuery = (hours: number) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, hours],
    queryFn: async ({ signal }): Promise<ActivityById> => {
      const since = new Date(Date.now() - hours * 3_600_000).toISOString();
      const { data } = await get<ActivityView>(`/api/activity?since=${since}`, signal);
      return new Map(data.map(({ sessionId, ...activity }) => [sessionId, activity]));
    },
  });

export const capacityQuery = () =>
  queryOptions({ queryKey: ["capacity"], queryFn: ({ signal }) => get<CapacityView>("/api/capacity", signal) });

export const mergedQuery = () =>
  queryOptions({
    queryKey: ["pull-requests", "merged"],
    queryFn: ({ signal }) => call("GET /api/pull-requests", { input: { state: "merged" }, signal }),
  });
