import { randomUUID } from "node:crypto";
import { AoError } from "../../core/errors.ts";
import { hasControls } from "../../core/terminal-text.ts";
import type { CallContext } from "../../server/call-context.ts";
import type { Kernel } from "../kernel.ts";
import { storeText } from "./store-text.ts";

const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Queues a message for the agent of a session. */
export async function sendMessage(
  kernel: Kernel,
  sessionId: string,
  content: string,
  context: CallContext,
): Promise<{ readonly messageId: string }> {
  const session = kernel.engine.loop.world.view.session(sessionId);
  if (Buffer.byteLength(content) > MAX_MESSAGE_BYTES) {
    throw new AoError({
      code: "too-large",
      message: "The message is larger than 1 MiB.",
      hint: "Put the text into a file in the workspace and mention the file.",
    });
  }
  if (session?.input === "terminal" && hasControls(content)) {
    throw new AoError({
      code: "message-refused",
      message: "The message has control characters, which a terminal would execute instead of showing.",
      hint: "Remove them; text, newlines and tabs are fine.",
    });
  }
  const stored = await storeText(kernel.store, content);
  const result = await kernel.engine.submit({
    input: { type: "session.send", sessionId, messageId: newMessageId(), text: stored.text, bytes: stored.bytes },
    key: context.key,
  });
  return { messageId: String(result["messageId"]) };
}

/** Sends a person's answer to the open question of a session. */
export async function answer(
  kernel: Kernel,
  sessionId: string,
  given: { readonly choice: string; readonly questionId?: string | undefined },
  context: CallContext,
): Promise<{ readonly messageId: string; readonly choice: string }> {
  const result = await kernel.engine.submit({
    input: { type: "session.answer", sessionId, ...given, messageId: newMessageId() },
    key: context.key,
  });
  return { messageId: String(result["messageId"]), choice: String(result["choice"]) };
}

/** Asks the agent of a session to end the running turn. */
export async function interrupt(
  kernel: Kernel,
  sessionId: string,
  context: CallContext,
): Promise<{ readonly messageId: string }> {
  await kernel.engine.refresh(sessionId);
  const result = await kernel.engine.submit({
    input: { type: "session.interrupt", sessionId, messageId: newMessageId() },
    key: context.key,
  });
  return { messageId: String(result["messageId"]) };
}

function newMessageId(): string {
  return `m-${randomUUID().slice(0, 13)}`;
}
