import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

export const issuesQuery = (id: string) =>
  queryOptions({
    queryKey: ["issues", id],
    queryFn: ({ signal }) => call("GET /api/projects/:id/issues", { params: { id }, input: {}, signal }),
    // The tracker does not report edits of issues, so the list is refetched each time it opens.
    staleTime: 0,
  });

export const pullRequestsQuery = (project: string) =>
  queryOptions({
    queryKey: ["pull-requests", project],
    queryFn: ({ signal }) => call("GET /api/pull-requests", { input: { project, state: "all" }, signal }),
  });

export const radarQuery = (project: string) =>
  queryOptions({
    queryKey: ["project", project, "radar"],
    queryFn: ({ signal }) => call("GET /api/radar", { input: { project }, signal }),
  });

export const trainQuery = (project: string) =>
  queryOptions({
    // Every step of the train changes a pull request, so it becomes stale with that list.
    queryKey: ["pull-requests", project, "train"],
    queryFn: ({ signal }) => call("GET /api/train", { input: { project }, signal }),
  });

export const checkHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ["check-history", id],
    queryFn: ({ signal }) => call("GET /api/projects/:id/checks", { params: { id }, signal }),
    staleTime: 0,
  });

export const agentsQuery = () =>
  queryOptions({ queryKey: ["agents"], queryFn: ({ signal }) => call("GET /api/agents", { input: {}, signal }) });

export const doctorQuery = () =>
  queryOptions({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => call("GET /api/doctor", { input: {}, signal }),
    staleTime: 0,
  });
