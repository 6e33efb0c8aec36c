import type { EventView } from "../../protocol/views/event.ts";
import { misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { readEvents } from "../client/event-stream.ts";
import { fetchHealth } from "../client/fetch-health.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { type Style, style } from "../views/style.ts";
import { visibleLine } from "../views/visible.ts";
import { untilInterrupted } from "../views/watch.ts";

export const command = defineCommand({
  name: "events",
  summary: "the log of everything that happened",
  usage: ["[--since N] [--follow] [--session SESSION] [--json]"],
  arguments: [],
  options: {
    since: { type: "string", value: "N", summary: "only events after this position" },
    follow: { type: "boolean", short: "f", summary: "follow new events (Ctrl+C quits)" },
    session: {
      type: "string",
      short: "s",
      value: "SESSION",
      summary: "only events of this session and its pull requests",
    },
    json: { ...JSON_OPTION, summary: "print one JSON object per line" },
  },
  examples: ["ao events --follow", "ao events --since 100 --json"],
  async run({ options }) {
    const since = Number(options.since ?? 0);
    if (!Number.isInteger(since) || since < 0) {
      throw misuse(
        `--since is not a position: ${options.since}`,
        "`ao events` prints positions in front of each line.",
      );
    }
    const client = connect();
    // Starts the daemon if necessary; the stream itself does not.
    await fetchHealth(client);
    const session = options.session === undefined ? undefined : await fullName(client, options.session);
    const paint = style(process.stdout);
    const follow = options.follow === true;
    for await (const event of readEvents(client, { since, follow, session, signal: untilInterrupted() })) {
      if (options.json === true) printJson(event);
      else print(renderEvent(event, paint));
    }
  },
});

async function fullName(client: Client, session: string): Promise<string> {
  return (await client.call("GET /api/sessions/:id", { params: { id: session } })).id;
}

/** One event as one line: position, time, stream, sentence. */
export function renderEvent(event: EventView, paint: Style): string {
  const time = event.at.replace("T", " ").replace(/\.\d+Z$/, "Z");
  return `${paint.dim(`${String(event.position).padStart(6)}  ${time}`)}  ${event.stream}  ${visibleLine(event.text)}`;
}
