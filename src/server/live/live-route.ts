import { AoError } from "../../core/errors.ts";
import { STREAMS } from "../../protocol/calls/streams.ts";
import type { App } from "../app.ts";
import { readQuery } from "../register.ts";
import { openLiveFeed } from "./live-feed.ts";
import type { LiveHub } from "./live-hub.ts";
import { parseLiveId } from "./live-id.ts";

/** The stream of changed views. */
export function addLiveRoute(app: App, hub: LiveHub): void {
  app.get("/api/live", (c) => {
    const query = readQuery(c, STREAMS["GET /api/live"].query);
    const written = c.req.header("last-event-id") ?? query.since;
    const from = written === undefined ? null : parseLiveId(written);
    if (written !== undefined && from === null) {
      const hint = "Give the id of a message, the `fleet.position` of a list, or nothing.";
      throw new AoError({ code: "usage", message: `"${written}" is not a position of the stream.`, hint });
    }
    const feed = openLiveFeed(hub, from);
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const bytes = await feed.next();
          if (bytes === null) controller.close();
          else controller.enqueue(bytes);
        },
        cancel: feed.close,
      },
      // Nothing is buffered for a client that does not read.
      { highWaterMark: 0 },
    );
    return c.body(body, 200, { "content-type": "text/event-stream" });
  });
}
