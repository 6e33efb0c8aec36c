import { writeOutHidden } from "../../../core/hidden-characters.ts";
import type { NoticePriority } from "../../../core/notice/notice.ts";
import type { Notice } from "../../../ports/notifier.ts";

const MAX_TITLE = 200;
const MAX_TEXT = 1000;
const MAX_LINE = 120;
const MAX_LINES = 20;

export type Urgency = "critical" | "normal" | "low";

/** What is shown, as plain text. */
export interface Card {
  readonly title: string;
  readonly body: string;
  readonly urgency: Urgency;
}

const URGENCY: Readonly<Record<NoticePriority, Urgency>> = {
  urgent: "critical",
  action: "normal",
  warning: "normal",
  info: "low",
};

/** One card for one or more notices, short enough to read at a glance. */
export function compose(notices: readonly Notice[]): Card {
  const urgency = mostUrgent(notices);
  const [first, ...others] = notices;
  if (first !== undefined && others.length === 0)
    return { title: titleOf(first, MAX_TITLE), body: bodyOf(first), urgency };
  const lines = notices.slice(0, MAX_LINES).map((notice) => `• ${titleOf(notice, MAX_LINE)}`);
  const left = notices.length - lines.length;
  return {
    title: `${notices.length} notices`,
    body: [...lines, ...(left > 0 ? [`… and ${left} more`] : [])].join("\n"),
    urgency,
  };
}

function mostUrgent(notices: readonly Notice[]): Urgency {
  const found = notices.map(({ priority }) => URGENCY[priority]);
  return (["critical", "normal"] as const).find((urgency) => found.includes(urgency)) ?? "low";
}

function titleOf({ title, key }: Notice, limit: number): string {
  const line = cut(
    printable(title)
      .replaceAll(/[\n\t]/g, " ")
      .trim(),
    limit,
  );
  return line === "" ? key : line;
}

function bodyOf({ text, act }: Notice): string {
  const body = cut(printable(text).trim(), MAX_TEXT);
  return act === null ? body : `${body}\n\nRun: ${cut(printable(act), MAX_LINE)}`.trim();
}

// An argument cannot contain NUL, and a screen should not get ESC.
function printable(text: string): string {
  return writeOutHidden(text.replaceAll(/\r\n?/g, "\n"));
}

/** At most `limit` characters, without splitting one. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
