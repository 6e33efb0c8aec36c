import { sortSessions } from "../../protocol/fleet-order.ts";
import type { Client } from "../client/client.ts";
import type { Listing, SessionFilter } from "./session-lines.ts";

/** The list of sessions, in its order. */
export async function fetchListing(client: Client, filter: SessionFilter): Promise<Listing> {
  const input = {
    ...(filter.project === undefined ? {} : { project: filter.project }),
    ...(filter.all === true ? { all: true } : {}),
  };
  const { data, fleet } = await client.call("GET /api/sessions", { input });
  return { data: sortSessions(data), fleet };
}
