import type { Actions } from "../actions.ts";
import type { Handler } from "../handler.ts";
import type { Transcripts } from "../transcript/transcripts.ts";
import { readOrWait } from "../wait-for-session.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** The conversation of a session as typed items. */
export function createTranscriptHandler(
  actions: Actions,
  transcripts: Transcripts,
): Handler<"GET /api/sessions/:id/transcript"> {
  return ({ params: { id }, query, signal }) => {
    const limit = Math.min(Math.max(query.limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);
    return readOrWait(actions, {
      id,
      waitMs: query.wait ?? 0,
      signal,
      read: () => transcripts.read(id, { cursor: query.cursor, limit }),
      isNews: ({ data, over }) => data.length > 0 || over,
    });
  };
}
