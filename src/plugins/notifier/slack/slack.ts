import { definePlugin } from "../../../ports/plugin.ts";
import { ChatConfig, createChatNotifier } from "../../../providers/web-notice/chat.ts";
import { formatSlackMessage } from "./message.ts";

const SERVICE = { plugin: "slack", variable: "SLACK_WEBHOOK_URL", format: formatSlackMessage };

/** Posts notices to a Slack channel through an incoming webhook. */
export const slack = definePlugin({
  slot: "notifier",
  name: "slack",
  summary: "Messages in a Slack channel",
  config: ChatConfig,
  requires: [],
  create: (config, host) => createChatNotifier(SERVICE, config, host),
});
