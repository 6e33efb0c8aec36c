import { z } from "zod";
import { EventView } from "../views/event.ts";
import { LiveMessage } from "../views/live.ts";
import { TerminalFrame } from "../views/terminal.ts";
import { count, flag, type StreamTable } from "./call.ts";

export const STREAMS = {
  "GET /api/events": {
    tag: "streams",
    scope: "read",
    summary: "Follow the log.",
    errors: ["session-unknown", "session-ambiguous"],
    query: z.strictObject({
      since: count().exactOptional().describe("Start after this position; `Last-Event-ID` takes precedence."),
      follow: flag.exactOptional().describe("false: end at the end of the log. Default: true."),
      stream: z.string().exactOptional().describe("Only this stream, such as `session:app-1`."),
      session: z.string().exactOptional().describe("Only this session, with its pull requests."),
      internal: flag.exactOptional().describe("Internal events too."),
    }),
    event: EventView,
    delivery:
      "Every event after `since` exactly once, in the order of the log; `id` is its position, so `Last-Event-ID` resumes without gap or " +
      "repetition, across restarts of the daemon too. Each client reads the log at its own pace: a slow one misses nothing and costs no memory.",
  },
  "GET /api/live": {
    tag: "streams",
    scope: "read",
    summary: "Follow the views that change.",
    errors: ["usage"],
    query: z.strictObject({
      since: z
        .string()
        .exactOptional()
        .describe(
          "Start after this: the id of a message, or `fleet.position` of a list; `Last-Event-ID` takes precedence.",
        ),
    }),
    event: LiveMessage,
    delivery:
      "After each commit every view that looks different, as it is then; commits that follow each other closely share one message per view. The " +
      "messages of a commit come together and the last one carries the `id`: with it, or with `since`, a client gets exactly the views that " +
      "changed meanwhile, across restarts of the daemon too. A client that keeps up gets every change once and in order. One that does not " +
      "gets the newest views when it reads again and costs no memory. `reset` says that too much was missed, or that the store is another " +
      "one. `signal` has no id and is not repeated. A comment every 15 s keeps the connection alive.",
  },
} as const satisfies StreamTable;

export const SOCKETS = {
  "GET /api/sessions/:id/terminal": {
    tag: "streams",
    scope: "read",
    own: true,
    summary: "See and use a session's terminal, as a WebSocket.",
    errors: ["session-unknown", "session-ambiguous"],
    query: z.strictObject({
      cursor: z.string().exactOptional().describe("Continue after this: the `cursor` of an earlier frame."),
    }),
    event: TerminalFrame,
    delivery:
      "Binary frames are the bytes of the terminal, text frames are JSON. Bytes come from the log that the terminal writes: with a `cursor` every " +
      "byte after it comes once and in order, across restarts of the daemon too. Without one, or where the log does not reach back, a `screen` " +
      "frame announces bytes that draw the whole screen. A viewer that is more than 1 MiB behind gets a fresh screen instead; it never holds " +
      "up the agent or the daemon. Sequences that write to the clipboard or that a terminal answers are left out. Send keys as binary frames, " +
      'or `{"type":"input","data":"..."}`, and `{"type":"resize","columns":80,"rows":24}`; typing needs the scope operate, and the newest size ' +
      "wins. A session without a terminal shows its agent's output and takes no keys.",
  },
} as const satisfies StreamTable;
