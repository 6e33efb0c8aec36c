import { spawnSync } from "node:child_process";
import { AoError } from "../../core/errors.ts";
import type { AttachView } from "../../protocol/view.ts";
import { connect } from "../client.ts";
import { defineCommand } from "../command.ts";
import { codeOf } from "../http.ts";
import { followOutput, readTail } from "../output.ts";
import { note } from "../print.ts";
import { style } from "../style.ts";
import { createTranscript } from "../transcript.ts";
import { untilInterrupted } from "../watch.ts";

const TAIL_LINES = 200;

export const command = defineCommand({
  name: "attach",
  summary: "the agent's live terminal, or its live transcript where it has none",
  usage: ["SESSION"],
  arguments: [{ name: "SESSION", summary: "id, a beginning of it, or an issue number" }],
  options: {
    takeover: { type: "boolean", later: true, summary: "the agent's own interface on the same conversation" },
  },
  examples: ["ao attach my-app-fix-login"],
  details: "Leave a terminal with Ctrl+B D, a transcript with Ctrl+C; the agent goes on.",
  async run({ args: [written = ""] }) {
    const client = connect();
    const { id, status } = await client.call("GET /api/sessions/:id", { params: { id: written } });
    const { command: terminal } = await client.call("GET /api/sessions/:id/attach", { params: { id } });
    if (terminal !== null && process.stdin.isTTY && process.stdout.isTTY) return openTerminal(terminal);
    note(`${id} is ${status}; following its output, Ctrl+C leaves it running`);
    const transcript = createTranscript(style(process.stdout));
    const signal = untilInterrupted();
    const tail = await readTail(client, id, TAIL_LINES);
    process.stdout.write(transcript.push(tail.text));
    for await (const text of followOutput(client, id, { cursor: tail.cursor, signal })) {
      process.stdout.write(transcript.push(text));
    }
    process.stdout.write(transcript.end());
    note(signal.aborted ? `detached; ${id} goes on` : `${id} has stopped`);
  },
});

function openTerminal(command: NonNullable<AttachView["command"]>): void {
  // A terminal inside a terminal is meant here: ours is another server, and the inner one asks no further.
  const { TMUX: _outer, ...env } = process.env;
  const result = spawnSync(command.program, [...command.args], { stdio: "inherit", env });
  if (result.error !== undefined) {
    const why = codeOf(result.error) === "ENOENT" ? "it is not installed" : result.error.message;
    const message = `${command.program} cannot be started: ${why}`;
    throw new AoError({ code: "program-missing", message, hint: "`ao doctor` tells how to get it." });
  }
  if (result.status !== 0) {
    const hint = "`ao logs` shows what its agent printed.";
    throw new AoError({ code: "session-state", message: "the terminal could not be opened or is gone", hint });
  }
}
