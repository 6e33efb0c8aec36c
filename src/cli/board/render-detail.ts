import { formatMoney } from "../../core/cost/format.ts";
import { firstCommand } from "../../protocol/command-of.ts";
import { stateWord } from "../../protocol/state-word.ts";
import type { SessionDetailView, SessionView } from "../../protocol/views/session.ts";
import { formatAge } from "../args/duration.ts";
import { renderQuestion } from "../views/question-view.ts";
import { checkMark, currentPull, paintPull, paintTone } from "../views/session-row.ts";
import type { Style } from "../views/style.ts";
import { cut } from "../views/text-width.ts";
import { visibleLine } from "../views/visible.ts";
import { wrapPainted, wrapWords } from "./paint.ts";
import type { RenderOptions } from "./render-options.ts";
import { type BoardState, type Size, selectedSession } from "./state.ts";

/** The selected session: what it is, what it needs, its pull request, and its agent's last words. */
export function renderDetail(state: BoardState, options: RenderOptions, size: Size): readonly string[] {
  const session = selectedSession(state);
  if (session === undefined) return [];
  const detail = state.detail?.id === session.id ? state.detail : null;
  const lines = [
    ...describeHead(session, options, size),
    ...describeNeed(session, detail, options.style, size),
    ...describePull(session, options.style, size),
    ...(detail === null ? [] : describeRest(detail, options.style, size)),
  ];
  if (lines.length <= size.rows) return lines;
  const more = lines.length - size.rows + 1;
  const key = detail?.question == null ? "" : "; a shows the whole question";
  return [...lines.slice(0, size.rows - 1), options.style.dim(cut(`… ${more} more lines${key}`, size.columns))];
}

function describeHead(session: SessionView, { now, style }: RenderOptions, { columns }: Size): readonly string[] {
  const { mark, word, tone } = stateWord(session);
  const facts = [
    session.id,
    `${session.agent} (${session.runtime})`,
    session.branch,
    session.cost.costUsd === 0 ? "" : formatMoney(session.cost),
    `${formatAge(now - Date.parse(session.createdAt))} old`,
  ];
  const state = `${mark} ${word}`;
  const title = cut(visibleLine(session.title), columns - state.length - 2);
  return [
    `${paintTone(style, tone, state)}  ${style.bold(title)}`,
    style.dim(cut(facts.filter((fact) => fact !== "").join(" · "), columns)),
  ];
}

function describeNeed(
  session: SessionView,
  detail: SessionDetailView | null,
  style: Style,
  { columns }: Size,
): readonly string[] {
  if (detail?.question != null) return renderQuestion(detail.question, style, columns);
  const text = session.attention?.text ?? session.activity ?? session.evidence;
  const lines = wrapWords(text, columns, 4);
  if (session.attention === null) return lines;
  return [...lines.map(style.yellow), style.cyan(cut(firstCommand(session.attention.actions), columns))];
}

function describePull(session: SessionView, style: Style, { columns }: Size): readonly string[] {
  const pull = currentPull(session.pullRequests);
  if (pull === undefined) return [];
  // The session's need is already shown above.
  const said = session.attention?.text ?? session.evidence;
  const isNew = (text: string): boolean => !said.includes(text);
  const facts = [pull.status.replaceAll("-", " "), ...[visibleLine(pull.evidence), ...pull.blockers].filter(isNew)];
  const checks = pull.checks.map(({ name, state }) => `${checkMark(state)} ${visibleLine(name)}`);
  return [
    ...wrapWords(`#${pull.number} into ${pull.base}: ${[...new Set(facts)].join(", ")}`, columns, 3),
    ...wrapPainted([checks.map((check) => paintPull(style, check)).join("  ")].filter(Boolean), columns),
  ];
}

function describeRest(detail: SessionDetailView, style: Style, { columns }: Size): readonly string[] {
  const problems = detail.problems
    .filter(({ acknowledged }) => !acknowledged)
    .flatMap(({ text }) => wrapWords(`problem: ${text}`, columns, 2));
  const summary = detail.summary === null ? [] : ["", ...wrapWords(detail.summary, columns, 12)];
  const path = detail.workspacePath === null ? [] : [style.dim(cut(detail.workspacePath, columns))];
  return [...problems.map(style.red), ...path, ...summary];
}
