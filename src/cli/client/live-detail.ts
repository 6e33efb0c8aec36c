import type { SessionDetailView } from "../../protocol/views/session.ts";
import type { Client } from "./client.ts";
import { readLive } from "./live-stream.ts";

/** A session in detail now, and again after each change, until the signal. */
export async function* followSessionDetail(
  client: Client,
  written: string,
  signal: AbortSignal,
): AsyncGenerator<SessionDetailView> {
  let detail = await client.call("GET /api/sessions/:id", { params: { id: written } });
  yield detail;
  // From here on the full id: a prefix may become ambiguous.
  const { id } = detail;
  for await (const news of readLive(client, { signal })) {
    if (news.event === "signal" && news.data.sessionId === id) {
      const { activity, evidence } = news.data;
      detail = { ...detail, activity, evidence };
      yield detail;
    }
    const isOther = news.event === "session" ? news.data.id !== id : news.event !== "start" && news.event !== "reset";
    if (isOther) continue;
    detail = await client.call("GET /api/sessions/:id", { params: { id } });
    yield detail;
  }
}
