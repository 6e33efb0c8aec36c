import { useQuery } from "@tanstack/react-query";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { sessionsQuery } from "../../data/queries.ts";

/** The session as in lists, which get its agent's signals between events. Undefined once it is stopped. */
export function useListed(id: string): SessionView | undefined {
  return useQuery({ ...sessionsQuery(), select: ({ data }) => data.find((session) => session.id === id) }).data;
}
