import type { ReplayView } from "../../protocol/views/replay.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";
import { visibleLine } from "./visible.ts";

type Row = ReplayView["data"][number];

const MARKS: Readonly<Record<Row["mark"], string>> = { same: " ", removed: "-", added: "+" };

/** The steps of the rules, oldest first; with another configuration, a diff and a table of totals. */
export function renderReplay(view: ReplayView, paint: Style, config: string | null): readonly string[] {
  const isMarked = view.data.some(({ mark }) => mark !== "same");
  const steps = view.data.map((row) => renderStep(row, paint, isMarked || config !== null));
  const earlier = view.leftOff === 0 ? [] : [paint.dim(`(${view.leftOff} earlier steps left out)`)];
  if (config !== null) return [...earlier, ...steps, "", ...renderCounts(view, config)];
  return [...earlier, ...steps, "", describeCounts(view.before), ...(isMarked ? [DECIDED_OTHERWISE] : [])];
}

const DECIDED_OTHERWISE =
  "Marked steps differ from the log: an older version of ao took them (-), and this version decides otherwise (+).";

function renderStep({ at, stream, mark, text }: Row, paint: Style, isMarked: boolean): string {
  const time = at.replace("T", " ").replace(/\.\d+Z$/, "Z");
  const line = `${isMarked ? `${MARKS[mark]} ` : ""}${time}  ${stream.replace(/^[a-z-]+:/, "")}  ${visibleLine(text)}`;
  return mark === "same" ? line : mark === "added" ? paint.green(line) : paint.red(line);
}

function describeCounts({ messages, notifications, merges, actions }: ReplayView["before"]): string {
  const parts = [
    named(messages, "message to agents", "messages to agents"),
    named(notifications, "notification", "notifications"),
    named(merges, "merge", "merges"),
    ...(actions === 0 ? [] : [named(actions, "other action", "other actions")]),
  ];
  return parts.join(", ");
}

function renderCounts({ before, after }: ReplayView, config: string): readonly string[] {
  const rows = [
    ["", "then", config],
    ["messages to agents", String(before.messages), String(after.messages)],
    ["notifications", String(before.notifications), String(after.notifications)],
    ["merges", String(before.merges), String(after.merges)],
    ["other actions", String(before.actions), String(after.actions)],
  ];
  return renderTable(rows, { right: [1] });
}

function named(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
