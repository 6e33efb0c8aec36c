import { describeCost } from "../../core/cost/format.ts";
import { describeUntrusted } from "../../protocol/describe-untrusted.ts";
import type { ProblemOfView } from "../../protocol/views/problem.ts";
import type { PullRequestView } from "../../protocol/views/pull-request.ts";
import type { MessageView, SessionDetailView } from "../../protocol/views/session.ts";
import { formatAge } from "../args/duration.ts";
import { describeCheckState } from "./pull-request-short.ts";
import { describeProblem, paintPullStatus } from "./pull-request-view.ts";
import { renderQuestion, shortenDetail } from "./question-view.ts";
import { paintStatus } from "./session-table.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible.ts";

export interface SessionDetailOptions {
  readonly now: number;
  readonly style: Style;
  /** Absent: lines are not wrapped. */
  readonly width?: number | undefined;
}

/** How much of a command or diff to show; `ao answer` shows all of it. */
const DETAIL_LINES = 40;

/** One session for people: what it does, the evidence, where its work is and what to do next. */
export function renderSession(session: SessionDetailView, options: SessionDetailOptions): readonly string[] {
  const { style } = options;
  const status = paintStatus(style, session, session.status);
  const rows: (readonly [string, string | null])[] = [
    ["status", `${status}  ${describeEvidence(session)}`],
    ["title", session.title],
    ["issue", session.issue],
    ["project", session.projectId],
    ["agent", describeAgent(session)],
    ["sandbox", session.sandbox ?? "none: the agent runs as you"],
    ["branch", `${session.branch}${session.on === undefined ? "" : ` (on ${session.on})`}`],
    ["path", session.workspacePath],
    ["run", describeRun(session)],
    ["trust", describeTrust(session, options.now)],
    ["cost", describeCost(session.cost)],
    ["age", formatAge(options.now - Date.parse(session.createdAt))],
    ["summary", session.summary],
    ["saved", session.workspace.preservedRef],
  ];
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== null && row[1] !== "");
  return [
    style.bold(session.id),
    ...shown.map(([name, value]) => `  ${style.dim(name.padEnd(8))} ${name === "status" ? value : visibleLine(value)}`),
    ...session.pullRequests.flatMap((pull) => pullLines(pull, style, options.now)),
    ...session.problems
      .filter(isBesideQuestion(session))
      .map((problem) => `  ${style.dim("problem ")} ${describeProblem(problem)}`),
    ...session.workspace.notes.map((text) => `  ${style.dim("note".padEnd(8))} ${visibleLine(text)}`),
    ...session.messages.filter(isOpen).map((message) => `  ${style.dim("message ")} ${describeMessage(message)}`),
    ...questionLines(session, options),
  ];
}

/** A message's state on one line: `queued: the agent is busy (120 bytes)`. */
export function describeMessage(message: MessageView): string {
  const reason = message.reason === null ? "" : `: ${visibleLine(message.reason)}`;
  return `${message.delivery}${reason} (${message.bytes} bytes, ${message.id})`;
}

function describeAgent(session: SessionDetailView): string {
  const state = session.agentStatus === session.status ? "" : `, ${session.agentStatus}`;
  const taken = session.movedFrom === null ? "" : `, taken over (\`ao attach ${session.id} --takeover\` hands it back)`;
  return `${session.agent} (${session.runtime})${state}${taken}`;
}

function pullLines(pull: PullRequestView, style: Style, now: number): readonly string[] {
  const checks = pull.checks.map((check) => `${visibleLine(check.name)} ${describeCheckState(check, now)}`).join(", ");
  const status = paintPullStatus(style, pull.status);
  return [
    `  ${style.dim("pr".padEnd(8))} #${pull.number} ${status}  ${visibleLine(pull.evidence)}`,
    ...(checks === "" ? [] : [`  ${style.dim("checks".padEnd(8))} ${checks}`]),
  ];
}

function isOpen(message: MessageView): boolean {
  return message.kind !== "interrupt" && message.delivery !== "delivered" && message.delivery !== "withdrawn";
}

function describeRun({ run }: SessionDetailView): string | null {
  if (run.n === 0) return null;
  const pid = run.pid === null ? "" : `, pid ${run.pid}`;
  return `${run.n} (${run.state}${pid})`;
}

function describeTrust({ untrusted }: SessionDetailView, now: number): string | null {
  if (untrusted === null) return null;
  return `${describeUntrusted(untrusted)} (${formatAge(now - Date.parse(untrusted.at))} ago)`;
}

function questionLines(session: SessionDetailView, { style, width }: SessionDetailOptions): readonly string[] {
  const { question } = session;
  if (question === null) return [];
  const { shown, left } = shortenDetail(question, DETAIL_LINES);
  const more = left === 0 ? "" : `   (${left} more ${left === 1 ? "line" : "lines"} there)`;
  const room = width === undefined ? undefined : width - 2;
  return [
    "",
    ...renderQuestion(shown, style, room).map((line) => `  ${line}`),
    `  ${style.cyan(`ao answer ${session.id}`)}${style.dim(more)}`,
  ];
}

// The question itself is shown below, once.
function describeEvidence({ question, status, evidence }: SessionDetailView): string {
  return question !== null && status === "needs-input" ? "waiting for your answer" : visibleLine(evidence);
}

function isBesideQuestion({ question }: SessionDetailView): (problem: ProblemOfView) => boolean {
  return ({ key }) => question === null || key !== "agent-needs-input";
}
