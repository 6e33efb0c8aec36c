import { QueryClient, queryOptions } from "@tanstack/react-query";
import type { SessionView } from "../../../src/protocol/views/session.ts";
import { call } from "./call.ts";
import { fetchPatched } from "./fetch-patched.ts";
import { patchInbox, patchProjects, patchSessions, type SessionList } from "./patch.ts";

/** The page's cache of the daemon's data. The live stream keeps it current, so nothing is polled. */
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
  queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => fetchPatched(() => call("GET /api/sessions", { input: {}, signal }), patchSessions),
  });

/** Parts of the same answer, for components that must not rerender with every agent signal. */
const pickPauses = ({ fleet }: SessionList): Pick<SessionList["fleet"], "paused" | "pausedProjects"> => ({
  paused: fleet.paused,
  pausedProjects: fleet.pausedProjects,
});
export const pausesQuery = () => queryOptions({ ...sessionsQuery(), select: pickPauses });

const pickWarnings = ({ fleet }: SessionList): readonly string[] => fleet.warnings ?? [];
export const warningsQuery = () => queryOptions({ ...sessionsQuery(), select: pickWarnings });

const pickIsEmpty = ({ data }: SessionList): boolean => data.length === 0;
export const isEmptyQuery = () => queryOptions({ ...sessionsQuery(), select: pickIsEmpty });

const pickPosition = ({ fleet }: SessionList): number => fleet.position;
export const positionQuery = () => queryOptions({ ...sessionsQuery(), select: pickPosition });

/** The sessions without their agents' frequent signals. */
const pickQuiet = ({ data }: SessionList): readonly SessionView[] =>
  data.map((session) => ({ ...session, activity: null, evidence: "", lastSignalAt: null }));
export const quietSessionsQuery = () => queryOptions({ ...sessionsQuery(), select: pickQuiet });

/** Including stopped ones. */
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
  queryOptions({
    queryKey: ["inbox"],
    queryFn: ({ signal }) => fetchPatched(() => call("GET /api/inbox", { input: {}, signal }), patchInbox),
  });

export const projectsQuery = () =>
  queryOptions({
    queryKey: ["projects"],
    queryFn: ({ signal }) => fetchPatched(() => call("GET /api/projects", { signal }), patchProjects),
  });
