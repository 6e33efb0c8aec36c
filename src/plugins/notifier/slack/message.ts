import type { KnownBlock, RichTextBlock, RichTextText } from "@slack/types";
import type { Notice } from "../../../ports/notifier.ts";
import { cut, type NoticeParts, partsOf } from "../../../providers/web-notice/notice-parts.ts";

/** Far below Slack's limits for a message and a block, which are only partly documented. */
const MAX_MESSAGE = 12_000;
const MAX_TEXT = 2500;
const MAX_TITLE = 150;
const MAX_SUMMARY = 1000;

interface SlackMessage {
  /** What a phone shows on its lock screen. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  readonly unfurl_links: false;
}

/**
 * A rich text message, which Slack shows as is: its Markdown has no escapes, and foreign text could mention a channel.
 */
export function formatSlackMessage(notices: readonly Notice[]): SlackMessage {
  const text = Math.min(MAX_TEXT, Math.floor(MAX_MESSAGE / notices.length));
  const parts = notices.map((notice) => partsOf(notice, { title: MAX_TITLE, text }));
  return { text: summarize(parts), blocks: parts.map(toBlock), unfurl_links: false };
}

function summarize(parts: readonly NoticeParts[]): string {
  const titles = parts.map(({ title }) => title).join("; ");
  const line = cut(parts.length === 1 ? titles : `${parts.length} notifications: ${titles}`, MAX_SUMMARY);
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function toBlock({ title, text, act, origin }: NoticeParts): RichTextBlock {
  const lines: RichTextText[] = [
    { type: "text", text: title, style: { bold: true } },
    ...(origin === "" ? [] : [{ type: "text", text: ` (${origin})` } as const]),
    ...(text === "" ? [] : [{ type: "text", text: `\n${text}` } as const]),
    ...(act === null ? [] : [newLine, { type: "text", text: act, style: { code: true } } as const]),
  ];
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: lines }] };
}

const newLine: RichTextText = { type: "text", text: "\n" };
