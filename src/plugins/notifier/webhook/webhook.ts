import type { Host } from "../../../ports/host.ts";
import type { Notice } from "../../../ports/notifier.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { timeoutMs } from "../../../providers/web-notice/config.ts";
import { postNotice } from "../../../providers/web-notice/post.ts";
import { Config, type WebhookConfig } from "./config.ts";
import { formatMessage } from "./message.ts";

const SENDER = { plugin: "webhook", checkAccess: "Check `headers` and `secret` of this notifier." };

/** Posts notices as JSON to a URL of the user's. */
export const webhook = definePlugin({
  slot: "notifier",
  name: "webhook",
  summary: "Posts notices as JSON to an address, signed if you like",
  config: Config,
  requires: [],
  create: (config, host) => ({
    send: (notices) => send(notices, config, host),
    // Everything it needs is in the validated configuration; only a real message would reveal more.
    preflight: () => Promise.resolve({ ok: true, reason: null }),
  }),
});

async function send(notices: readonly Notice[], config: WebhookConfig, host: Host): Promise<void> {
  if (notices.length === 0) return;
  const message = formatMessage(notices, host.clock.now(), config);
  await postNotice(host, SENDER, { url: config.url, ...message, timeoutMs: timeoutMs(config.timeout) });
}
