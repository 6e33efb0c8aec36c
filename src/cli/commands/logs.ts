import type { EventView } from "../../protocol/views/event.ts";
import type { TranscriptItem } from "../../protocol/views/transcript.ts";
import { misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { readEvents } from "../client/event-stream.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { followTranscript, readTranscript } from "../views/follow-transcript.ts";
import { FROM_THE_END, NO_PAGER_OPTION, page } from "../views/pager.ts";
import { note, print, printJson, write } from "../views/print.ts";
import { type Style, style } from "../views/style.ts";
import { visibleLine, visibleOutput } from "../views/visible.ts";
import { untilInterrupted } from "../views/watch.ts";
import { followOutput, readTail } from "./logs/output.ts";
import { createRawOutput } from "./logs/raw-output.ts";

const DEFAULT_COUNT = 500;

export const command = defineCommand({
  name: "logs",
  summary: "the conversation with a session's agent, and what happened around it",
  usage: [
    "[SESSION] [-f] [--full] [--lines N] [--no-pager] [--json]",
    "[SESSION] --timeline [-f] [--json]",
    "[SESSION] --raw [-f]",
  ],
  arguments: [SESSION_ARGUMENT],
  options: {
    follow: { type: "boolean", short: "f", summary: "follow (Ctrl+C quits)" },
    full: { type: "boolean", summary: "everything from the start, with nothing folded" },
    timeline: { type: "boolean", short: "t", summary: "only the events with their reasons, the last 1000" },
    raw: { type: "boolean", summary: "only what the agent's program printed" },
    lines: {
      type: "string",
      short: "n",
      value: "N",
      summary: `last N items (with --raw: lines; default ${DEFAULT_COUNT})`,
    },
    "no-pager": NO_PAGER_OPTION,
    json: { ...JSON_OPTION, summary: "print JSON: one object, with -f one item per line" },
  },
  examples: ["ao logs my-app-fix-login -f", "ao logs 42 --full", "ao logs 42 --timeline"],
  details:
    "Shows your messages and answers, the agent's words, its tools with their results, checks, reviews and merges, in the\n" +
    "order in which they happened and in local time. Long texts are folded; --full shows them whole.\n" +
    "`ao events --session SESSION` prints all events, also those before the last 1000.\n" +
    "--json prints {data, cursor}, as GET /api/sessions/ID/transcript returns it.",
  async run({ args: [written = ""], options }) {
    const count = Number(options.lines ?? DEFAULT_COUNT);
    if (!Number.isInteger(count) || count < 0) throw misuse(`--lines is not a number: ${options.lines}`, "--lines 50");
    if (options.raw === true && options.json === true) throw misuse("--raw has no --json", "Leave out one of them.");
    const client = connect();
    const { id } = await client.call("GET /api/sessions/:id", { params: { id: written } });
    const chosen = { follow: options.follow === true, json: options.json === true };
    if (options.timeline === true) return showTimeline(client, id, chosen);
    if (options.raw === true) return showRaw(client, id, { ...chosen, lines: count });
    const full = options.full === true;
    const wanted = full && options.lines === undefined ? Number.POSITIVE_INFINITY : count;
    const isPaged = !chosen.follow && options["no-pager"] !== true;
    await showTranscript(client, id, { ...chosen, full, count: wanted, isPaged });
  },
});

interface ShowOptions {
  readonly follow: boolean;
  readonly json: boolean;
}

async function showTranscript(
  client: Client,
  id: string,
  options: ShowOptions & { readonly full: boolean; readonly count: number; readonly isPaged: boolean },
): Promise<void> {
  const { follow, json, full, count, isPaged } = options;
  const { items, cursor, hasOlder } = await readTranscript(client, id, count);
  if (json && !follow) return printJson({ data: items, cursor });
  const render = json ? asJsonLines : await openView(id, full);
  if (hasOlder && !json && count > 0) note(`older items: ao logs ${id} --full`);
  const lines = render(items);
  if (lines.length > 0) await page(lines.join("\n"), !isPaged, FROM_THE_END);
  if (!follow) return;
  const signal = untilInterrupted();
  for await (const more of followTranscript(client, id, { cursor, signal })) {
    for (const line of render(more)) print(line);
  }
}

type Render = (items: readonly TranscriptItem[]) => readonly string[];

async function openView(id: string, full: boolean): Promise<Render> {
  const { openTranscriptView } = await import("../views/show-transcript.ts");
  return (await openTranscriptView(id, { full, stream: process.stdout })).show;
}

function asJsonLines(items: readonly TranscriptItem[]): readonly string[] {
  return items.map((item) => JSON.stringify(item));
}

async function showTimeline(client: Client, id: string, options: ShowOptions): Promise<void> {
  const paint = style(process.stdout);
  const { data } = await client.call("GET /api/sessions/:id/timeline", { params: { id } });
  if (options.json && !options.follow) return printJson({ data });
  const show = (event: EventView): void => (options.json ? printJson(event) : print(renderMoment(event, paint)));
  for (const event of data) show(event);
  if (!options.follow) return;
  const since = data.at(-1)?.position ?? 0;
  const signal = untilInterrupted();
  for await (const event of readEvents(client, { since, follow: true, session: id, signal })) show(event);
}

async function showRaw(client: Client, id: string, options: ShowOptions & { readonly lines: number }): Promise<void> {
  const tail = await readTail(client, id, options.lines);
  const asIs = (text: string): string => text;
  const output = createRawOutput(style(process.stdout), process.stdout.isTTY ? visibleOutput : asIs);
  write(process.stdout, output.push(tail.text));
  if (options.follow) {
    const signal = untilInterrupted();
    for await (const text of followOutput(client, id, { cursor: tail.cursor, signal })) {
      write(process.stdout, output.push(text));
    }
  }
  write(process.stdout, output.end());
}

/** One event of a session as one line, in local time. */
function renderMoment(event: EventView, paint: Style): string {
  const time = new Date(event.at).toLocaleTimeString("en-GB");
  return `${paint.dim(time)}  ${paint.cyan(event.type)}  ${visibleLine(event.text)}`;
}
