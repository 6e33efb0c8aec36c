import { countSessions } from "../../protocol/fleet-order.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { currentPull, describeFleet } from "../views/session-row.ts";
import { cut } from "../views/text-width.ts";
import { visibleLine } from "../views/visible.ts";
import { showField } from "./field.ts";
import { bothSides, paintedWidth } from "./paint.ts";
import type { RenderOptions } from "./render-options.ts";
import { type BoardState, selectedSession, shownSessions } from "./state.ts";

/** The first line: the state of the fleet, and whether the board is connected. */
export function titleBar(state: BoardState, { style }: RenderOptions): string {
  const { columns } = state.size;
  const live = state.offline === null ? style.green("● live") : style.red("○ offline");
  const filter = state.filter === "" ? "" : `  /${visibleLine(state.filter)} (${shownSessions(state).length})`;
  const summary = state.fleet === null ? "" : describeFleet(countSessions(state.sessions), state.fleet);
  const text = cut(`${summary}${filter}`, columns - 16);
  const painted = text.replace(/\d+ needs? you|paused/g, (part) => style.bold(style.yellow(part)));
  return bothSides(` ${style.bold("ao")}  ${painted}`, `${live} `, columns);
}

/** The line for input, questions and notices. */
export function statusLine(state: BoardState, { style }: RenderOptions): string {
  const { columns } = state.size;
  const { mode, notice, offline } = state;
  const typing = (label: string, field: Parameters<typeof showField>[0]): string =>
    ` ${style.bold(label)} ${showField(field, columns - label.length - 4)}`;
  if (mode.kind === "filter") return typing("filter:", mode.field);
  if (mode.kind === "ask") return typing(ASK_LABELS[mode.ask](cut(mode.target, 40)), mode.field);
  if (mode.kind === "confirm") return ` ${style.bold(style.yellow(cut(visibleLine(mode.text), columns - 9)))} (y/N)`;
  if (notice !== null) {
    const text = ` ${cut(visibleLine(notice.text), columns - 2)}`;
    return notice.tone === "error" ? style.red(text) : style.green(text);
  }
  return offline === null ? "" : style.red(` ${cut(`${visibleLine(offline)}; reconnecting …`, columns - 2)}`);
}

const ASK_LABELS: Readonly<Record<"message" | "request-changes" | "new", (target: string) => string>> = {
  message: (target) => `message to ${target}:`,
  "request-changes": (target) => `changes for ${target}:`,
  new: (target) => `new task in ${target}:`,
};

type Hint = readonly [key: string, does: string];

/** The last line: the keys that are active now. */
export function keyBar(state: BoardState, { style }: RenderOptions): string {
  const hints = hintsFor(state);
  const last: readonly Hint[] =
    state.mode.kind === "list"
      ? [
          ["?", "help"],
          ["q", "quit"],
        ]
      : [];
  const show = ([key, does]: Hint): string => `${style.bold(key)} ${style.dim(does)}`;
  const room = state.size.columns - 2 - paintedWidth(last.map(show).join("  "));
  let line = "";
  for (const hint of hints) {
    const longer = `${line}${line === "" ? "" : "  "}${show(hint)}`;
    if (paintedWidth(longer) + 2 > room) break;
    line = longer;
  }
  return ` ${[line, ...last.map(show)].filter((part) => part !== "").join("  ")}`;
}

function hintsFor(state: BoardState): readonly Hint[] {
  const { mode } = state;
  switch (mode.kind) {
    case "filter":
      return [
        ["Enter", "keep"],
        ["Esc", "clear"],
      ];
    case "ask": {
      const other: readonly Hint[] = mode.ask === "new" && state.projects.length > 1 ? [["Tab", "other project"]] : [];
      return [["Enter", mode.ask === "new" ? "start" : "send"], ["Alt+Enter", "new line"], ...other, ["Esc", "cancel"]];
    }
    case "confirm":
      return [
        ["y", "yes"],
        ["any other key", "no"],
      ];
    default:
      return listHints(selectedSession(state));
  }
}

function listHints(session: SessionView | undefined): readonly Hint[] {
  const always: readonly Hint[] = [
    ["n", "new"],
    ["/", "filter"],
    ["v", "stopped"],
  ];
  if (session === undefined) return always;
  const isOver = session.status === "stopped" || session.status === "merged";
  const hasPull = currentPull(session.pullRequests)?.phase === "open";
  const asks = session.attention?.kind === "question" || session.attention?.kind === "permission";
  return [
    ...(asks ? ([["a", "answer"]] as const) : []),
    ...(hasPull
      ? ([
          ["p", "approve"],
          ["r", "request changes"],
          ["M", "merge"],
        ] as const)
      : []),
    ["Enter", "transcript"],
    ["d", "diff"],
    ...(isOver
      ? ([["R", "restore"]] as const)
      : ([
          ["m", "message"],
          ["t", "attach"],
          ["s", "stop"],
        ] as const)),
    ...always,
  ];
}
