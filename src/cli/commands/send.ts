import { AoError } from "../../core/errors.ts";
import type { MessageView } from "../../protocol/view.ts";
import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../print.ts";
import { checkArgument, checkSize, readText } from "../read-text.ts";
import { misuse } from "../usage.ts";

const CONFIRM_MS = 3000;

export const command = defineCommand({
  name: "send",
  summary: "send a message to a session's agent",
  usage: ['SESSION "MESSAGE"', "SESSION --file FILE", "SESSION < FILE"],
  arguments: [
    { name: "SESSION", summary: "id, a beginning of it, or an issue number" },
    { name: "MESSAGE", summary: "the text; without it, stdin is read", optional: true, text: true },
  ],
  options: {
    file: { type: "string", short: "f", value: "FILE", summary: "send the text of a file (- is stdin)" },
    json: JSON_OPTION,
  },
  examples: ['ao send my-app-fix-login "Also cover the empty password"', "ao send 42 --file review.md"],
  details:
    "The text arrives unchanged, up to 1 MiB. The answer tells its fate: delivered (the agent confirmed it),\n" +
    "queued (with the reason), or unconfirmed (handed over, but the agent gave no receipt yet, or never does).",
  async run({ args: [session = "", text], options }) {
    const content = await readContent(text, options.file);
    if (content === "") throw misuse("the message is empty", 'ao send SESSION "MESSAGE", or --file FILE');
    const client = connect();
    const sent = await client.call("POST /api/sessions/:id/message", { params: { id: session }, input: { content } });
    const message = await client.call("GET /api/sessions/:id/messages/:mid", {
      // The full name: a shorter one may have become ambiguous after the message was sent.
      params: { id: sent.sessionId ?? session, mid: sent.messageId },
      input: { wait: CONFIRM_MS },
    });
    if (options.json === true) printJson(message);
    else if (message.delivery !== "failed") print(describeFate(message));
    if (message.delivery === "failed") {
      const hint = "`ao inbox` tells what the session needs.";
      throw new AoError({ code: "message-refused", message: describeFate(message), hint });
    }
  },
});

/** What became of a message, in the words that scripts may match. */
export function describeFate(message: Pick<MessageView, "delivery" | "reason">): string {
  const reason = message.reason === null ? "" : `: ${message.reason}`;
  switch (message.delivery) {
    case "delivered":
      return "delivered";
    case "queued":
      return `queued${reason === "" ? ": it waits to be handed over" : reason}`;
    case "sending":
      return "unconfirmed: it is on its way";
    case "unknown":
      return `unknown${reason === "" ? ": nobody can tell whether it arrived" : reason}`;
    default:
      return `${message.delivery}${reason}`;
  }
}

async function readContent(text: string | undefined, file: string | undefined): Promise<string> {
  if (text !== undefined) {
    if (file !== undefined) throw misuse("a message and --file at once", "Give one of them.");
    checkArgument(text);
    checkSize(Buffer.byteLength(text), "the message");
    return text;
  }
  if (file !== undefined) return readText(file);
  if (process.stdin.isTTY) throw misuse("there is no message", 'ao send SESSION "MESSAGE", or --file FILE');
  return readText("-");
}
