import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id, "timeline"],
    queryFn: ({ signal }) => call("GET /api/sessions/:id/timeline", { params: { id }, signal }),
  });

export const sessionDiffQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id, "diff"],
    queryFn: ({ signal }) => call("GET /api/sessions/:id/diff", { params: { id }, signal }),
  });

export const issueQuery = (projectId: string, issue: string) =>
  queryOptions({
    queryKey: ["issue", projectId, issue],
    queryFn: ({ signal }) => call("GET /api/projects/:id/issues/:issue", { params: { id: projectId, issue }, signal }),
  });
