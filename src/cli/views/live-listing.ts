import { sortSessions } from "../../protocol/fleet-order.ts";
import type { LiveMessage } from "../../protocol/views/live.ts";
import type { Client } from "../client/client.ts";
import { type LiveOptions, readLive } from "../client/live-stream.ts";
import { fetchListing } from "./fetch-listing.ts";
import type { Listing, SessionFilter } from "./session-lines.ts";

/** The list of sessions now, and again after each change, until the signal. */
export async function* followListing(
  client: Client,
  filter: SessionFilter,
  options: Pick<LiveOptions, "signal" | "onLost" | "onBack" | "returnLimitMs">,
): AsyncGenerator<Listing> {
  let listing = await fetchListing(client, filter);
  yield listing;
  for await (const news of readLive(client, { ...options, since: listing.fleet.position })) {
    const next = withNews(listing, news, filter) ?? (await fetchListing(client, filter));
    const isNew = next !== listing;
    listing = next;
    if (news.isLast && (isNew || news.event !== "signal")) yield listing;
  }
}

/** The list after a message; null: it must be reloaded. */
export function withNews(listing: Listing, news: LiveMessage, filter: SessionFilter): Listing | null {
  switch (news.event) {
    case "session":
      return withSession(listing, news.data, filter);
    case "signal": {
      const { sessionId, activity, evidence } = news.data;
      const data = listing.data.map((one) => (one.id === sessionId ? { ...one, activity, evidence } : one));
      return { ...listing, data };
    }
    case "fleet":
      // The numbers of one project are not those of all.
      return filter.project === undefined ? { ...listing, fleet: news.data } : null;
    case "reset":
      return null;
    default:
      return listing;
  }
}

function withSession(
  listing: Listing,
  session: Extract<LiveMessage, { event: "session" }>["data"],
  filter: SessionFilter,
): Listing {
  if (filter.project !== undefined && session.projectId !== filter.project) return listing;
  const others = listing.data.filter(({ id }) => id !== session.id);
  const isShown = filter.all === true || session.removed !== true;
  return { ...listing, data: isShown ? sortSessions([...others, session]) : others };
}
