import type { APIEmbed, RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import type { NoticePriority } from "../../../core/notice/notice.ts";
import type { Notice } from "../../../ports/notifier.ts";
import { type NoticeParts, partsOf } from "../../../providers/web-notice/notice-parts.ts";

/** Discord accepts 256 characters of a title and 4096 of a description; escaping may double each. */
const MAX_TITLE = 120;
const MAX_DESCRIPTION = 4000;
/** In a message with several notices, the share of the space for titles before texts. */
const SHARE_OF_TITLES = 0.6;
const MAX_ORIGIN = 200;

const COLORS: Readonly<Record<NoticePriority, number>> = {
  urgent: 0xd1242f,
  action: 0xbf8700,
  warning: 0xbf8700,
  info: 0x57606a,
};

/** One embed for one or more notices; nothing in it mentions anyone or is interpreted as Markdown. */
export function formatDiscordMessage(notices: readonly Notice[]): RESTPostAPIWebhookWithTokenJSONBody {
  const [first, ...others] = notices;
  const embed = first !== undefined && others.length === 0 ? embedOne(first) : embedSeveral(notices);
  return { username: "ao", embeds: [embed], allowed_mentions: { parse: [] } };
}

function embedOne(notice: Notice): APIEmbed {
  const parts = partsOf(notice, { title: MAX_TITLE, text: MAX_DESCRIPTION });
  return {
    title: escapeMarkdown(parts.title),
    description: body(parts, MAX_DESCRIPTION),
    color: COLORS[notice.priority],
    timestamp: new Date(notice.at).toISOString(),
    ...(parts.origin === "" ? {} : { footer: { text: parts.origin.slice(0, MAX_ORIGIN) } }),
  };
}

function embedSeveral(notices: readonly Notice[]): APIEmbed {
  const title = Math.min(MAX_TITLE, Math.floor((MAX_DESCRIPTION * SHARE_OF_TITLES) / notices.length / 2));
  const parts = notices.map((notice) => partsOf(notice, { title, text: MAX_DESCRIPTION }));
  const titles = parts.map((part) => `**${escapeMarkdown(part.title)}**`);
  const taken = titles.reduce((sum, line) => sum + line.length + 2, 0);
  const each = Math.floor((MAX_DESCRIPTION - taken) / notices.length);
  const lines = parts.flatMap((part, index) => [titles[index] ?? "", body(part, each)].filter((line) => line !== ""));
  return { title: `${notices.length} notifications`, description: lines.join("\n"), color: colorOf(notices) };
}

/** The text and the command, escaped, at most `limit` characters long. */
function body({ text, act }: NoticeParts, limit: number): string {
  const command = act === null ? "" : `\`${act.replaceAll("`", "'")}\``;
  const escaped = cutEscaped(escapeMarkdown(text), limit - command.length - 1);
  return [escaped, command].filter((line) => line !== "" && line.length <= limit).join("\n");
}

// A character with its escape counts as one, so that they are not separated.
function cutEscaped(escaped: string, limit: number): string {
  if (escaped.length <= limit) return escaped;
  let kept = "";
  for (const [piece] of escaped.matchAll(/\\?./gsu)) {
    if (kept.length + piece.length + 1 > limit) break;
    kept += piece;
  }
  return kept === "" ? "" : `${kept}…`;
}

/** In Discord a backslash escapes any special character. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~:@]/g, String.raw`\$&`);
}

function colorOf(notices: readonly Notice[]): number {
  const order: readonly NoticePriority[] = ["urgent", "action", "warning"];
  return COLORS[order.find((priority) => notices.some((notice) => notice.priority === priority)) ?? "info"];
}
