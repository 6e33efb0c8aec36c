import type { Client } from "../client/client.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import type { SessionDetailOptions } from "../views/session-detail.ts";
import { showSessions } from "../views/show-sessions.ts";
import { style } from "../views/style.ts";
import { guardStdout } from "../write-out.ts";

/** The screen shows ages, so it changes even if nothing happens. */
const TICK_MS = 1000;

export const command = defineCommand({
  name: "status",
  summary: "one session in detail, or a table of all",
  usage: ["[SESSION] [--project ID] [--all] [--watch] [--json]"],
  arguments: [{ ...SESSION_ARGUMENT, optional: true }],
  options: {
    project: PROJECT_OPTION,
    all: { type: "boolean", short: "a", summary: "stopped sessions too" },
    watch: { type: "boolean", short: "w", summary: "refresh live (Ctrl+C quits)" },
    json: JSON_OPTION,
  },
  examples: ["ao status", "ao status my-app-fix-login"],
  async run({ args: [session], options }) {
    const client = connect();
    if (session === undefined) return showSessions(client, options);
    const { renderSession } = await import("../views/session-detail.ts");
    if (options.watch === true) return watchSession(client, session, options.json === true);
    const detail = await client.call("GET /api/sessions/:id", { params: { id: session } });
    if (options.json === true) printJson(detail);
    else print(renderSession(detail, shownHere()).join("\n"));
  },
});

function shownHere(): SessionDetailOptions {
  return { now: Date.now(), style: style(process.stdout), width: process.stdout.columns };
}

async function watchSession(client: Client, session: string, json: boolean): Promise<void> {
  const { renderSession } = await import("../views/session-detail.ts");
  const { createLiveBlock, untilInterrupted } = await import("../views/watch.ts");
  const { followSessionDetail } = await import("../client/live-detail.ts");
  guardStdout();
  const show = createLiveBlock(process.stdout);
  let redraw = (): void => undefined;
  const tick = process.stdout.isTTY && !json ? setInterval(() => redraw(), TICK_MS) : undefined;
  try {
    let last = "";
    for await (const detail of followSessionDetail(client, session, untilInterrupted())) {
      redraw = () => show(renderSession(detail, shownHere()));
      const key = JSON.stringify(detail);
      if (json && key !== last) printJson(detail);
      if (!json && (process.stdout.isTTY || key !== last)) redraw();
      last = key;
    }
  } finally {
    clearInterval(tick);
  }
}
