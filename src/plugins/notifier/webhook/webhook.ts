import type { Host } from "../../../ports/host.ts";
import type { Notice } from "../../../ports/notifier.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { Config, timeoutMs, type WebhookConfig } from "./config.ts";
import { explainAnswer, explainSilence } from "./failure.ts";
import { formatMessage } from "./message.ts";

/** Posts notices as JSON to an address of the user's. */
export const webhook = definePlugin({
  slot: "notifier",
  name: "webhook",
  summary: "Posts notices as JSON to an address, signed if you like",
  config: Config,
  requires: [],
  create: (config, host) => ({
    send: (notices) => send(notices, config, host),
    // Everything it needs is in the configuration, which was checked; only a message would tell more.
    preflight: () => Promise.resolve({ ok: true, reason: null }),
  }),
});

async function send(notices: readonly Notice[], config: WebhookConfig, host: Host): Promise<void> {
  if (notices.length === 0) return;
  const message = formatMessage(notices, host.clock.now(), config);
  const answer = await host
    .http({ method: "POST", url: config.url, ...message, timeoutMs: timeoutMs(config.timeout), maxBytes: 64 * 1024 })
    .catch((error: unknown) => {
      throw explainSilence(error);
    });
  if (answer.status < 200 || answer.status > 299) {
    throw explainAnswer(new URL(config.url).host, answer, host.clock.now());
  }
}
