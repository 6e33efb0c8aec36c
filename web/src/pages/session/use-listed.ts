import { useQuery } from "@tanstack/react-query";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { sessionsQuery } from "../../data/queries.ts";

/** The session as lists know it: signals of its agent reach them between two events. Undefined once it is stopped. */
export function useListed(id: string): SessionView | undefined {
  return useQuery({ ...sessionsQuery(), select: ({ data }) => data.find((session) => session.id === id) }).data;
}
