import type { EventView } from "../../protocol/view.ts";
import { type Client, connect } from "../client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { readEvents } from "../events.ts";
import { followOutput, readTail } from "../output.ts";
import { print, printJson } from "../print.ts";
import { createRawOutput } from "../raw-output.ts";
import { type Style, style } from "../style.ts";
import { oneLine } from "../table.ts";
import { misuse } from "../usage.ts";
import { untilInterrupted } from "../watch.ts";

const TAIL_LINES = 200;
const TAIL_EVENTS = 20;

export const command = defineCommand({
  name: "logs",
  summary: "what a session's agent printed, and what happened to it and why",
  usage: ["[SESSION] [-f] [--timeline] [--lines N] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: {
    follow: { type: "boolean", short: "f", summary: "go on until Ctrl+C" },
    timeline: { type: "boolean", short: "t", summary: "only the events with their reasons, all of them" },
    lines: { type: "string", short: "n", value: "N", summary: `last lines of output (default ${TAIL_LINES})` },
    json: { ...JSON_OPTION, summary: "print JSON; with -f one object for each line" },
  },
  examples: ["ao logs my-app-fix-login -f", "ao logs 42 --timeline"],
  async run({ args: [written = ""], options }) {
    const lines = Number(options.lines ?? TAIL_LINES);
    if (!Number.isInteger(lines) || lines < 0) throw misuse(`--lines is not a number: ${options.lines}`, "--lines 50");
    const client = connect();
    const { id } = await client.call("GET /api/sessions/:id", { params: { id: written } });
    const follow = options.follow === true;
    const json = options.json === true;
    if (options.timeline === true) return showTimeline(client, id, { follow, json });
    await showOutput(client, id, { follow, json, lines });
  },
});

async function showTimeline(
  client: Client,
  id: string,
  options: { readonly follow: boolean; readonly json: boolean },
): Promise<void> {
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

async function showOutput(
  client: Client,
  id: string,
  options: { readonly follow: boolean; readonly json: boolean; readonly lines: number },
): Promise<void> {
  const { data } = await client.call("GET /api/sessions/:id/timeline", { params: { id } });
  const tail = await readTail(client, id, options.lines);
  if (options.json && !options.follow) return printJson({ timeline: data, output: tail.text });
  const paint = style(process.stdout);
  const transcript = createRawOutput(paint);
  const show = options.json ? createJsonLines() : (text: string) => process.stdout.write(transcript.push(text));
  if (!options.json) {
    for (const event of data.slice(-TAIL_EVENTS)) print(renderMoment(event, paint));
    if (tail.text !== "") print("");
  }
  show(tail.text);
  if (options.follow) {
    const signal = untilInterrupted();
    for await (const text of followOutput(client, id, { cursor: tail.cursor, signal })) show(text);
  }
  process.stdout.write(transcript.end());
}

/** Output as one object for each whole line. */
function createJsonLines(): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) printJson({ type: "output", text: line });
  };
}

/** One event of a session as one line. */
export function renderMoment(event: EventView, paint: Style): string {
  const time = event.at.slice(11, 19);
  return `${paint.dim(time)}  ${paint.cyan(event.type)}  ${oneLine(event.text)}`;
}
