import { readFile } from "node:fs/promises";
import type { STREAMS } from "../../protocol/calls/streams.ts";
import { type RawRequest, readAnswer, toQuery } from "../../protocol/request.ts";
import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand } from "../command.ts";
import { print, printJsonText } from "../views/print.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const command = defineCommand({
  name: "api",
  summary: "call the REST API of the daemon",
  usage: ["METHOD PATH [-d JSON]"],
  arguments: [
    { name: "METHOD", summary: "GET, POST, PATCH or DELETE" },
    { name: "PATH", summary: "such as /sessions; ao adds a missing /api" },
  ],
  options: {
    data: { type: "string", short: "d", value: "JSON", summary: "the body, or @FILE; for GET the query" },
  },
  examples: ["ao api GET /sessions", `ao api POST /sessions -d '{"projectId":"my-app","title":"Fix login"}'`],
  async run({ args: [written = "", path = ""], options }) {
    const method = written.toUpperCase();
    if (!METHODS.includes(method)) throw misuse(`unknown method "${written}"`, METHODS.join(", "));
    const body = options.data === undefined ? undefined : await readBody(options.data);
    const target = apiPath(path);
    const request =
      method === "GET"
        ? { method, path: target + toQuery(body) }
        : { method, path: target, body: JSON.stringify(body) };
    refuseStream(request);
    const answer = await connect().send(request);
    if (answer.type.includes("json")) printJsonText(JSON.stringify(JSON.parse(answer.text), null, 2));
    else if (answer.text !== "") print(answer.text);
    // After the problem itself, the message and exit code of any other command.
    if (answer.status >= 400) readAnswer(answer);
  },
});

/** The daemon's path: with `/api`, except for the two paths outside it. */
export function apiPath(path: string): string {
  const plain = path.replace(/[^!-~]+/g, (text) => encodeURIComponent(text));
  const absolute = plain.startsWith("/") ? plain : `/${plain}`;
  return /^\/(?:api|healthz|metrics)(?:[/?]|$)/.test(absolute) ? absolute : `/api${absolute}`;
}

/** What to use instead of a call whose answer never ends, and which would only be printed at its end. */
const INSTEAD: Readonly<Record<keyof typeof STREAMS, string>> = {
  "GET /api/events": "Use `ao events --follow --json`, or `ao api GET '/events?follow=0'` for the log as it is now.",
  "GET /api/live": "Use `ao events --follow --json`, or `ao list --watch`.",
};

function refuseStream({ method, path }: RawRequest): void {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const hint = new Map(Object.entries(INSTEAD)).get(`${method} ${pathname}`);
  const isEnding = pathname === "/api/events" && /^(?:0|false)$/.test(searchParams.get("follow") ?? "");
  if (hint !== undefined && !isEnding) throw misuse(`${method} ${pathname} is a stream, which never ends`, hint);
}

async function readBody(written: string): Promise<unknown> {
  const text = written.startsWith("@") ? await readFile(written.slice(1), "utf8") : written;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw misuse(`-d is not JSON: ${(cause as Error).message}`, "Give an object in quotes, or @FILE.");
  }
}
