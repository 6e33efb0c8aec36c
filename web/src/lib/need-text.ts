import type { SessionView } from "../../../src/protocol/views/session.ts";

/** Why a session needs a person, as its row says it; what it does, if it needs nobody. */
export function needText(session: Pick<SessionView, "attention" | "activity" | "evidence" | "pullRequests">): string {
  const { attention, activity, evidence, pullRequests } = session;
  if (attention === null) return activity ?? evidence;
  const open = pullRequests.find(({ phase }) => phase === "open");
  if (attention.kind !== "approved-and-green" || open === undefined) return attention.text;
  const green = open.checks.filter(({ state }) => state === "passed").length;
  const facts = [
    ...(open.approvals.length === 0 ? [] : [`approved by ${open.approvals.join(", ")}`]),
    ...(green === 0 ? [] : [`${green === 1 ? "1 check" : `${green} checks`} green on \`${open.head.slice(0, 7)}\``]),
    "no conflicts",
  ].join(", ");
  return facts.charAt(0).toUpperCase() + facts.slice(1);
}
