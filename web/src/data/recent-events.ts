import { queryOptions } from "@tanstack/react-query";
import type { EventView } from "../../../src/protocol/views/event.ts";

/** How far back in the log to search for the day's events. */
const REACH = 400;

/** The latest events of the log, newest first. Refetched when the stream reports something new. */
export const eventsQuery = (position: number) =>
  queryOptions({
    queryKey: ["events"],
    queryFn: async ({ signal }): Promise<readonly EventView[]> => {
      const response = await fetch(`/api/events?follow=false&since=${Math.max(0, position - REACH)}`, { signal });
      return response.ok ? readEvents(await response.text()).toReversed() : [];
    },
  });

/** The events in a text of server-sent events. */
export function readEvents(text: string): readonly EventView[] {
  return text.split("\n").flatMap((line) => (line.startsWith("data:") ? [JSON.parse(line.slice(5)) as EventView] : []));
}
