import type { SessionView } from "../../../src/protocol/views/session.ts";
import { formatClock } from "./time.ts";

type Needing = Pick<SessionView, "attention" | "activity" | "evidence" | "pullRequests" | "question" | "lastSignalAt">;
type Pull = SessionView["pullRequests"][number];

/** Why a session needs a person, for its row; what it does, if it needs nobody. */
export function needText(session: Needing): string {
  const { attention, activity, evidence } = session;
  if (attention === null) return activity ?? evidence;
  return toSentence(phrase(session, attention));
}

/** Capitalizes the first letter of a phrase. */
export function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function phrase(session: Needing, { kind, text }: NonNullable<SessionView["attention"]>): string {
  const open = session.pullRequests.find(({ phase }) => phase === "open");
  switch (kind) {
    case "permission":
      return permission(session) ?? text;
    case "agent-stuck":
      return silence(session) ?? text;
    case "approved-and-green":
      return open === undefined ? text : readiness(open);
    case "review":
      return open === undefined ? text : missingReview(open, text);
    case "changes-requested":
      // A phrase that starts with a name cannot start with a capital letter.
      return text.replace(/^(\S+) requested changes/, "changes requested by $1");
    default:
      return text;
  }
}

/** "Wants to run `npm install`": the agent's name is shown beside it. */
function permission({ question }: Needing): string | null {
  if (question === null) return null;
  const wish = question.question.replace(/^.{1,40}? wants to /, "wants to ");
  const detail = question.detail?.format === "command" ? question.detail.text.trim() : "";
  if (detail === "") return null;
  return detail.includes("`") ? `${wish} ${detail}` : `${wish} \`${detail}\``;
}

function silence({ lastSignalAt, evidence }: Needing): string | null {
  if (lastSignalAt === null) return null;
  const last = /; last: (.+)$/s.exec(evidence)?.[1];
  const doing = last === undefined ? "" : /^\w+ing\b/.test(last) ? `, while ${last}` : `, last: ${last}`;
  return `silent since ${formatClock(lastSignalAt)}${doing}`;
}

function readiness(open: Pull): string {
  const green = open.checks.filter(({ state }) => state === "passed").length;
  return [
    ...(open.approvals.length === 0 ? [] : [`approved by ${open.approvals.join(", ")}`]),
    ...(green === 0 ? [] : [`${green === 1 ? "1 check" : `${green} checks`} green on ${shortHead(open)}`]),
    "no conflicts",
  ].join(", ");
}

function missingReview(open: Pull, text: string): string {
  const again = /^(\S+) requested changes; there is a new commit since$/.exec(text)?.[1];
  if (again !== undefined) return `new commit since ${again} requested changes`;
  if (!/^needs \d+ approvals?$/.test(text)) return text;
  const isGreen = open.checks.length > 0 && open.checks.every(({ state }) => state === "passed");
  return `${isGreen ? "checks green, " : ""}${text} of ${shortHead(open)}`;
}

function shortHead({ head }: Pull): string {
  return `\`${head.slice(0, 7)}\``;
}
