import { createHash, createHmac } from "node:crypto";
import type { Notice } from "../../../ports/notifier.ts";
import type { WebhookConfig } from "./config.ts";

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request with the notices; its format is documented in docs/plugins/notifier/webhook.md. */
export function formatMessage(notices: readonly Notice[], sentAt: number, config: WebhookConfig): Message {
  const body = JSON.stringify({ sentAt: toIso(sentAt), notices: notices.map(toEntry) });
  return {
    headers: {
      "User-Agent": "ao",
      ...config.headers,
      "Content-Type": "application/json; charset=utf-8",
      "Idempotency-Key": keyOf(notices),
      ...(config.secret === undefined ? {} : { "X-Ao-Signature": sign(body, config.secret) }),
    },
    body,
  };
}

// Field by field, so that fields added to notices later do not leave the machine by accident.
function toEntry(notice: Notice): object {
  const { id, priority, key, title, text, projectId, sessionId, act, at } = notice;
  return { id, priority, key, title, text, projectId, sessionId, act, at: toIso(at) };
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}

/** The same for the same notices, in any order. */
function keyOf(notices: readonly Notice[]): string {
  const ids = notices.map(({ id }) => id).sort();
  return createHash("sha256").update(JSON.stringify(ids)).digest("hex").slice(0, 32);
}

function sign(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
