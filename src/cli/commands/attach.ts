import { connect } from "../client/client.ts";
import { defineCommand, SESSION_ARGUMENT } from "../command.ts";
import { hasTerminal, openTerminal } from "./attach/open-terminal.ts";

export const command = defineCommand({
  name: "attach",
  summary: "the agent's live terminal, or its conversation where it has none; you can type in both",
  usage: ["[SESSION] [--takeover]"],
  arguments: [SESSION_ARGUMENT],
  options: {
    takeover: { type: "boolean", summary: "open its own interface; handed back when you leave" },
  },
  examples: ["ao attach my-app-fix-login", "ao attach 42 --takeover"],
  details:
    "In a conversation, type a message and press Enter; while the agent has an open question, your text is the answer.\n" +
    "/help lists commands. Ctrl+C or Ctrl+D detaches, and the agent keeps running.\n" +
    "In a terminal, detach with Ctrl+B, then d. Inside your own tmux press Ctrl+B twice, then d.\n" +
    "A takeover ends the agent's process and opens its own interface in a terminal, which continues the turn that was cut\n" +
    "off; leaving it does the reverse. Messages wait meanwhile, and arrive once.",
  async run({ args: [written = ""], options }) {
    const client = connect();
    const session = await client.call("GET /api/sessions/:id", { params: { id: written } });
    const isTerminalItsOwn = session.runtime === "tmux" && session.movedFrom === null;
    if (options.takeover === true && !isTerminalItsOwn) {
      const { takeOver } = await import("./attach/take-over.ts");
      return takeOver(client, session);
    }
    const { command: terminal } = await client.call("GET /api/sessions/:id/attach", { params: { id: session.id } });
    if (terminal !== null && hasTerminal()) return openTerminal(terminal);
    const { followSession } = await import("./attach/follow-session.ts");
    await followSession(client, session);
  },
});
