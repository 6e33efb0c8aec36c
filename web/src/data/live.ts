import type { QueryClient } from "@tanstack/react-query";

/** How many milliseconds of events are answered by one fetch. */
const GATHER_MS = 100;

/**
 * Follows the daemon's event stream from a position of the log and fetches again what the events touched. The browser reconnects
 * with the last id by itself. The answer ends it.
 */
export function followEvents(queries: QueryClient, since: number): () => void {
  const source = new EventSource(`/api/events?since=${since}`);
  let timer: ReturnType<typeof setTimeout> | null = null;
  source.onmessage = () => {
    timer ??= setTimeout(() => {
      timer = null;
      void queries.invalidateQueries();
    }, GATHER_MS);
  };
  return () => {
    source.close();
    if (timer !== null) clearTimeout(timer);
  };
}
