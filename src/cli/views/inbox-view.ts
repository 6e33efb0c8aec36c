import { shellWord } from "../../core/shell-word.ts";
import { firstCommand } from "../../protocol/command-of.ts";
import type { InboxView } from "../../protocol/views/inbox.ts";
import { formatAge } from "../args/duration.ts";
import { renderQuestion } from "./question-view.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible.ts";

export interface InboxOptions {
  readonly now: number;
  readonly style: Style;
  /** Absent: lines are not wrapped. */
  readonly width?: number | undefined;
}

const INDENT = "   ";

/** The inbox for people: numbered, in the daemon's order, questions with all of their lines. */
export function renderInbox(items: readonly InboxView[], options: InboxOptions): readonly string[] {
  if (items.length === 0) return ["Inbox is empty"];
  return items.flatMap((item, n) => [...(n === 0 ? [] : [""]), ...renderItem(item, n + 1, options)]);
}

function commandFor({ actions, id }: InboxView): string {
  if (actions.some(({ action }) => action === "pass")) return `ao pass ${shellWord(id)}`;
  const isOnlyDismissed = actions.length > 0 && actions.every(({ action }) => action === "dismiss");
  return isOnlyDismissed ? `ao ack ${shellWord(id)}` : firstCommand(actions);
}

function renderItem(item: InboxView, number: number, { now, style, width }: InboxOptions): readonly string[] {
  const { question } = item;
  const kind = question?.kind ?? item.kind;
  const head = `${style.yellow(item.sessionId)} ${style.dim(`${kind}, ${formatAge(now - Date.parse(item.at))} ago`)}`;
  const room = width === undefined ? undefined : width - INDENT.length;
  const body = question === null ? [visibleLine(item.text)] : renderQuestion(question, style, room);
  const command = commandFor(item);
  const dismiss =
    item.canAcknowledge && !command.startsWith("ao ack ")
      ? style.dim(`  or dismiss it: ao ack ${shellWord(item.id)}`)
      : "";
  return [
    `${String(number).padStart(2)} ${head}`,
    ...[...body, `${style.cyan(command)}${dismiss}`].map((line) => `${INDENT}${line}`),
  ];
}
