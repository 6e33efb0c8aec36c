import { AoError } from "../../core/errors.ts";
import type { MessageView } from "../../protocol/views/session.ts";
import { print, printJson } from "../views/print.ts";
import type { Client } from "./client.ts";

const CONFIRM_MS = 3000;

/** Waits a moment for a sent message to arrive, and reports what became of it. */
export async function tellFate(
  client: Client,
  sent: { readonly sessionId: string; readonly messageId: string },
  options: { readonly json: boolean; readonly hint: string },
): Promise<void> {
  const message = await client.call("GET /api/sessions/:id/messages/:mid", {
    params: { id: sent.sessionId, mid: sent.messageId },
    input: { wait: CONFIRM_MS },
  });
  if (options.json) printJson(message);
  else if (message.delivery !== "failed") print(describeFate(message));
  if (message.delivery === "failed") {
    throw new AoError({ code: "message-refused", message: describeFate(message), hint: options.hint });
  }
}

/** What became of a message, in words that scripts may match. */
export function describeFate(message: Pick<MessageView, "delivery" | "reason">): string {
  const reason = message.reason === null ? "" : `: ${asFragment(message.reason)}`;
  switch (message.delivery) {
    case "delivered":
      return "delivered";
    case "queued":
      return `queued${reason === "" ? ": not handed over yet" : reason}`;
    case "sending":
    case "unconfirmed":
      return `unconfirmed${reason === "" ? ": handed over, no receipt" : reason}`;
    case "unknown":
      return `unknown${reason === "" ? ": it may or may not have arrived" : reason}`;
    default:
      return `${message.delivery}${reason}`;
  }
}

// Reasons are sentences from whoever holds the message: "A person is typing in the terminal."
function asFragment(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z]* )/, (first) => first.toLowerCase()).replace(/\.$/, "");
}
