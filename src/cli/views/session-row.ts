import { formatMoney } from "../../core/cost/format.ts";
import type { FleetCount } from "../../protocol/fleet-order.ts";
import type { Tone } from "../../protocol/state-word.ts";
import type { FleetView } from "../../protocol/views/fleet.ts";
import type { CheckView, PullRequestView } from "../../protocol/views/pull-request.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visible.ts";

const CHECK_MARKS: Readonly<Record<string, string>> = { passed: "✓", running: "◐", queued: "·" };
/** More checks are counted instead of shown one by one. */
const MAX_MARKS = 4;

/** What a session needs, does, or why it is in its state; one line without hidden text. */
export function describeActivity(session: Pick<SessionView, "attention" | "activity" | "evidence">): string {
  const { attention, activity, evidence } = session;
  if (attention === null) return visibleLine(activity ?? evidence);
  // The row already names the agent, so "Claude Code wants to run ..." is shortened.
  const text =
    attention.kind === "permission" ? attention.text.replace(/^.{1,40}? wants to /, "wants to ") : attention.text;
  return visibleLine(text);
}

/** The relevant pull request: the open one, else the last. */
export function currentPull(pulls: readonly PullRequestView[]): PullRequestView | undefined {
  return pulls.find(({ phase }) => phase === "open") ?? pulls.at(-1);
}

/** A session's pull request in a few columns: `#3 ✓✗`; empty if there is none. */
export function shortPull(pulls: readonly PullRequestView[]): string {
  const pull = currentPull(pulls);
  if (pull === undefined) return "";
  const state = pull.phase === "open" ? markChecks(pull.checks) : pull.phase;
  const on = pull.on === undefined ? "" : ` on ${pull.on}`;
  return `${state === "" ? `#${pull.number}` : `#${pull.number} ${state}`}${on}`;
}

/** One mark per check, or the number of passed ones if there are too many. */
function markChecks(checks: readonly CheckView[]): string {
  if (checks.length <= MAX_MARKS) return checks.map(({ state }) => checkMark(state)).join("");
  const passed = checks.filter(({ state }) => state === "passed").length;
  const bad = checks.find(({ state }) => checkMark(state) === "✗");
  return `${passed}/${checks.length}${bad === undefined ? "" : " ✗"}`;
}

/** The mark of a check's state. */
export function checkMark(state: string): string {
  return CHECK_MARKS[state] ?? "✗";
}

/** A session's cost; empty while it has used nothing. */
export function shortCost({ cost }: Pick<SessionView, "cost">): string {
  if (cost.costUsd === null) return "?";
  return cost.costUsd === 0 && cost.unpricedTokens === 0 ? "" : formatMoney({ ...cost, unpricedTokens: 0 });
}

/** A short name for each session to use in commands: the prefix of its id that no other listed one has. */
export function shortNames(ids: readonly string[]): readonly string[] {
  const owners = new Map<string, number>();
  for (const id of ids) for (const name of beginnings(id)) owners.set(name, (owners.get(name) ?? 0) + 1);
  return ids.map((id) => beginnings(id).find((name) => owners.get(name) === 1) ?? id);
}

// The first word is the project, which says too little.
function beginnings(id: string): readonly string[] {
  const words = id.split("-");
  return words.slice(1).map((_, index) => words.slice(0, index + 2).join("-"));
}

/** `5 sessions · 2 need you · 3 working · $3.80 today · paused`. */
export function describeFleet(count: FleetCount, fleet: FleetView): string {
  const parts = [
    count.total === 1 ? "1 session" : `${count.total} sessions`,
    count.needYou === 0 ? "" : `${count.needYou} need${count.needYou === 1 ? "s" : ""} you`,
    tell(count.inReview, "in review"),
    tell(count.working, "working"),
    tell(count.idle, "idle"),
    tell(count.queued, "queued"),
    describeToday(fleet),
    fleet.paused ? "paused" : "",
    ...fleet.pausedProjects.map((id) => `${id} paused`),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Colors by tone. */
export function paintTone(style: Style, tone: Tone, text: string): string {
  switch (tone) {
    case "urgent":
      return style.red(text);
    case "need":
      return style.yellow(text);
    case "good":
      return style.green(text);
    case "busy":
      return style.cyan(text);
    case "quiet":
      return style.dim(text);
  }
}

/** A pull request's cell in the color of its worst check. */
export function paintPull(style: Style, text: string): string {
  if (text.includes("✗")) return style.red(text);
  return text.includes("◐") || text.includes("·") ? style.cyan(text) : text.includes("✓") ? style.green(text) : text;
}

function tell(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}`;
}

function describeToday({ costToday }: FleetView): string {
  const used = costToday.inputTokens + costToday.outputTokens > 0 || (costToday.costUsd ?? 0) > 0;
  if (!used) return "";
  return costToday.costUsd === null ? "cost unknown" : `${formatMoney({ ...costToday, unpricedTokens: 0 })} today`;
}
