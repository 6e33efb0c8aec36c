import { AoError } from "../../core/errors.ts";
import { checkArgument, checkSize, readText } from "../args/read-text.ts";
import { misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { tellFate } from "../client/message-fate.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";

export const command = defineCommand({
  name: "send",
  summary: "send a message to a session's agent",
  usage: ['[SESSION] "MESSAGE"', "[SESSION] --file FILE", "[SESSION] < FILE"],
  arguments: [
    SESSION_ARGUMENT,
    { name: "MESSAGE", summary: "the text; without it, stdin is read", optional: true, text: true },
  ],
  options: {
    file: { type: "string", short: "f", value: "FILE", summary: "send the text of a file (- is stdin)" },
    interrupt: { type: "boolean", summary: "interrupt the current turn first" },
    json: JSON_OPTION,
  },
  examples: ['ao send my-app-fix-login "Also cover the empty password"', "ao send 42 --file review.md"],
  details:
    "The text arrives unchanged, up to 1 MiB. `ao send` prints its state: delivered (the agent confirmed it),\n" +
    "queued (with the reason), or unconfirmed (handed over, no receipt yet).",
  async run({ args: [session = "", text], options }) {
    const content = await readContent(text, options.file);
    if (content === "") throw misuse("the message is empty", 'ao send SESSION "MESSAGE", or --file FILE');
    const client = connect();
    if (options.interrupt === true) await interrupt(client, session);
    const sent = await client.call("POST /api/sessions/:id/message", { params: { id: session }, input: { content } });
    const hint = "`ao inbox` shows what the session needs.";
    // The full id: a prefix may have become ambiguous after the message was sent.
    await tellFate(client, { ...sent, sessionId: sent.sessionId ?? session }, { json: options.json === true, hint });
  },
});

// A turn that is already over needs no interrupt.
async function interrupt(client: Client, id: string): Promise<void> {
  try {
    await client.call("POST /api/sessions/:id/interrupt", { params: { id } });
  } catch (error) {
    if (!(error instanceof AoError) || error.code !== "session-state") throw error;
  }
}

async function readContent(text: string | undefined, file: string | undefined): Promise<string> {
  if (text !== undefined) {
    if (file !== undefined) throw misuse("a message and --file together", "Give one of them.");
    checkArgument(text);
    checkSize(Buffer.byteLength(text), "the message");
    return text;
  }
  if (file !== undefined) return readText(file);
  if (process.stdin.isTTY) throw misuse("no message given", 'ao send SESSION "MESSAGE", or --file FILE');
  return readText("-");
}
