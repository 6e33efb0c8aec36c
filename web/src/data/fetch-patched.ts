import type { LiveMessage } from "../../../src/protocol/views/live.ts";

/** What the stream brought since each fetch began that is under way. */
const underway = new Set<LiveMessage[]>();

/**
 * Fetches a list and applies what the stream brings meanwhile, since the answer may be older than that. A message that is older than the
 * answer does no harm: whatever changed after it is on its way.
 */
export async function fetchPatched<List>(
  fetch: () => Promise<List>,
  patch: (list: List, message: LiveMessage) => List,
): Promise<List> {
  const heard: LiveMessage[] = [];
  underway.add(heard);
  try {
    return heard.reduce(patch, await fetch());
  } finally {
    underway.delete(heard);
  }
}

/** Keeps messages for the fetches that are under way. */
export function keepForFetches(messages: readonly LiveMessage[]): void {
  for (const heard of underway) heard.push(...messages);
}
