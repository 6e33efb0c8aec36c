import { connect } from "../client.ts";
import { defineCommand, SESSION_ARGUMENT } from "../command.ts";
import { hasTerminal, openTerminal } from "../open-terminal.ts";
import { followOutput, readTail } from "../output.ts";
import { note } from "../print.ts";
import { createRawOutput } from "../raw-output.ts";
import { style } from "../style.ts";
import { takeOver } from "../take-over.ts";
import { untilInterrupted } from "../watch.ts";

const TAIL_LINES = 200;

export const command = defineCommand({
  name: "attach",
  summary: "the agent's live terminal, or its live transcript where it has none",
  usage: ["[SESSION] [--takeover]"],
  arguments: [SESSION_ARGUMENT],
  options: {
    takeover: { type: "boolean", summary: "its own interface on the same conversation, handed back when you leave" },
  },
  examples: ["ao attach my-app-fix-login", "ao attach 42 --takeover"],
  details:
    "Leave a terminal with Ctrl+B D, a transcript with Ctrl+C; the agent goes on.\n" +
    "A takeover ends the agent's process and opens its own interface in a terminal, where the turn that was cut off goes on;\n" +
    "leaving it does the same the other way round. Messages wait meanwhile, and arrive once.",
  async run({ args: [written = ""], options }) {
    const client = connect();
    const session = await client.call("GET /api/sessions/:id", { params: { id: written } });
    const isTerminalItsOwn = session.runtime === "tmux" && session.movedFrom === null;
    if (options.takeover === true && !isTerminalItsOwn) return takeOver(client, session);
    const { id, status } = session;
    const { command: terminal } = await client.call("GET /api/sessions/:id/attach", { params: { id } });
    if (terminal !== null && hasTerminal()) return openTerminal(terminal);
    note(`${id} is ${status}; following its output, Ctrl+C leaves it running`);
    const transcript = createRawOutput(style(process.stdout));
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
