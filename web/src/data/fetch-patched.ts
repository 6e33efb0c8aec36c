import type { LiveMessage } from "../../../src/protocol/views/live.ts";

/** The stream's messages since the start of each pending fetch. */
const underway = new Set<LiveMessage[]>();

/**
 * Fetches a list and applies the stream's messages meanwhile, because the answer may be older. A message older than the
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

/** Keeps messages for pending fetches. */
export function keepForFetches(messages: readonly LiveMessage[]): void {
  for (const heard of underway) heard.push(...messages);
}
