import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { TranscriptItem, TranscriptPage } from "../../../../../src/protocol/views/transcript.ts";
import { call } from "../../../data/call.ts";

/** The loaded part of a transcript: it ends at the newest item and grows at both ends. */
export interface LoadedTranscript {
  readonly items: readonly TranscriptItem[];
  readonly cursor: string;
  readonly older: string | null;
}

const PAGE = 100;
/** Catching up after a pause uses larger pages. */
const NEWER = 500;
/** Output with nothing to show is skipped over: so many pages of it at once. */
const EMPTY_PAGES = 20;

const keyOf = (id: string) => ["session", id, "transcript"] as const;

/** Loads the newest page first; whenever it is invalidated, what came after it. */
export const transcriptQuery = (queries: QueryClient, id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }): Promise<LoadedTranscript> => {
      const read = (input: { cursor?: string; limit: number }): Promise<TranscriptPage> =>
        call("GET /api/sessions/:id/transcript", { params: { id }, input, signal });
      let loaded = queries.getQueryData<LoadedTranscript>(keyOf(id));
      if (loaded === undefined) {
        const { data, cursor, older } = await read({ limit: PAGE });
        return { items: data, cursor, older };
      }
      for (;;) {
        const page = await read({ cursor: loaded.cursor, limit: NEWER });
        const { cursor } = loaded;
        // Older items may have been loaded meanwhile.
        loaded = addNewer(queries.getQueryData<LoadedTranscript>(keyOf(id)) ?? loaded, page);
        // Of output with nothing to show the daemon reads a part at a time.
        const mayHaveMore = page.data.length >= NEWER || (page.data.length === 0 && page.cursor !== cursor);
        if (!mayHaveMore) return loaded;
      }
    },
  });

export async function loadOlder(queries: QueryClient, id: string): Promise<void> {
  const cursor = queries.getQueryData<LoadedTranscript>(keyOf(id))?.older ?? null;
  if (cursor === null) return;
  const read = (from: string): Promise<TranscriptPage> =>
    call("GET /api/sessions/:id/transcript", { params: { id }, input: { cursor: from, limit: PAGE } });
  let page = await read(cursor);
  for (let left = EMPTY_PAGES; page.data.length === 0 && page.older !== null && left > 0; left -= 1) {
    page = await read(page.older);
  }
  queries.setQueryData<LoadedTranscript>(keyOf(id), (loaded) =>
    loaded === undefined || loaded.older !== cursor ? loaded : addOlder(loaded, page),
  );
}

export function addNewer(loaded: LoadedTranscript, { data, cursor }: TranscriptPage): LoadedTranscript {
  const known = new Set(loaded.items.slice(-NEWER).map(({ id }) => id));
  const fresh = data.filter(({ id }) => !known.has(id));
  return { ...loaded, cursor, items: fresh.length === 0 ? loaded.items : [...loaded.items, ...fresh] };
}

export function addOlder(loaded: LoadedTranscript, { data, older }: TranscriptPage): LoadedTranscript {
  const known = new Set(loaded.items.slice(0, PAGE).map(({ id }) => id));
  return { ...loaded, older, items: [...data.filter(({ id }) => !known.has(id)), ...loaded.items] };
}
