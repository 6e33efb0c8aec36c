import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";

/** Keeps an agent busy from its start until a daemon has sent it a message, which the agent finds unread afterwards. */
export async function leaveUnread(
  fleet: Pick<Fleet, "dir" | "session">,
  message: { readonly sessionId: string; readonly index: number },
): Promise<void> {
  const busy = join(fleet.dir, "diary", "busy");
  writeFileSync(busy, "");
  const isSent = async (): Promise<boolean> => {
    const { messages } = await fleet.session(message.sessionId);
    return messages[message.index]?.delivery === "unconfirmed";
  };
  await until("the message to be in the inbox", isSent).catch(() => undefined);
  rmSync(busy);
}
