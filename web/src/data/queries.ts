import { QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** What the page knows of the daemon. The live stream keeps it current, so nothing is fetched again on a timer. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

export const sessionsQuery = () =>
  queryOptions({ queryKey: ["sessions"], queryFn: ({ signal }) => call("GET /api/sessions", { input: {}, signal }) });

/** Stopped ones too. */
export const everySessionQuery = () =>
  queryOptions({
    queryKey: ["sessions", "all"],
    queryFn: ({ signal }) => call("GET /api/sessions", { input: { all: true }, signal }),
    staleTime: 0,
  });

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id],
    queryFn: ({ signal }) => call("GET /api/sessions/:id", { params: { id }, signal }),
  });

export const inboxQuery = () =>
  queryOptions({ queryKey: ["inbox"], queryFn: ({ signal }) => call("GET /api/inbox", { signal }) });

export const projectsQuery = () =>
  queryOptions({ queryKey: ["projects"], queryFn: ({ signal }) => call("GET /api/projects", { signal }) });
