import { definePlugin } from "../../../ports/plugin.ts";
import { ChatConfig, createChatNotifier } from "../../../providers/web-notice/chat.ts";
import { formatDiscordMessage } from "./message.ts";

const SERVICE = {
  plugin: "discord",
  variable: "DISCORD_WEBHOOK_URL",
  addressOf: waitForAnswer,
  format: formatDiscordMessage,
};

/** Posts notices to a Discord channel through a webhook. */
export const discord = definePlugin({
  slot: "notifier",
  name: "discord",
  summary: "Messages in a Discord channel",
  config: ChatConfig,
  requires: [],
  create: (config, host) => createChatNotifier(SERVICE, config, host),
});

/** Discord confirms a message only if asked to. */
function waitForAnswer(url: string): string {
  const address = new URL(url);
  address.searchParams.set("wait", "true");
  return address.href;
}
