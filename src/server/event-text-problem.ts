import type { CommandEvent } from "../core/command/command-run.ts";
import type { EventOf } from "../core/event.ts";
import type { ProblemEvent, TakenAction } from "../core/reaction/problem.ts";
import type { UntrustedEvent } from "../core/reaction/untrusted.ts";
import type { EventTexts } from "./event-texts.ts";

/** What needs a person although nothing went wrong. */
const NO_PROBLEM: ReadonlySet<string> = new Set(["agent-needs-input", "approved-and-green"]);

/** The texts about a problem and what was done about it. */
export const PROBLEM_TEXTS: EventTexts<(ProblemEvent | CommandEvent | UntrustedEvent)["type"]> = {
  "problem.seen": ({ key, text }) => (NO_PROBLEM.has(key) ? text : `problem: ${text}`),
  "problem.gone": ({ id }) => `resolved: ${nameProblem(id)}`,
  "problem.escalated": (event) =>
    `${event.reminder ? "reminded" : "notified"} you: ${nameProblem(event.id)}${whyYou(event)}`,
  "problem.acknowledged": ({ by, id }) => `${by} dismissed ${nameProblem(id)}`,
  "reaction.sent": ({ problem, attempt }) => `sent ${nameProblem(problem)} to the agent (attempt ${attempt})`,
  "problem.passed": ({ by, id }) => `${by} passed ${nameProblem(id)} on to the agent`,
  "reaction.taken": ({ problem, action, detail }) =>
    `${TAKEN[action]}${detail === "" ? "" : ` ${detail}`} (rule for ${nameProblem(problem)})`,
  "untrusted.read": ({ from, via }) =>
    `${via === undefined ? "the agent" : `based on the work of ${via}, whose agent`} read text from ${from}, who is not trusted`,
  "command.queued": ({ cause, run }) => `running \`${run}\` for ${nameProblem(cause)}`,
  "command.finished": ({ code, reason }) => (code === 0 ? "command done" : `command failed: ${reason}`),
  "reaction.withdrawn": ({ problem, reason }) => `withdrew the message about ${nameProblem(problem)}: ${reason}`,
};

const TAKEN: Readonly<Record<TakenAction, string>> = {
  "spawn-reviewer": "started reviewer",
  "rerun-ci": "re-running",
  stop: "stopping",
  comment: "commented on the pull request",
  label: "added label",
  run: "running a command",
};

// Without an attempt by the agent, the only reason is that a person decides.
function whyYou({ reason, messages, reminder }: EventOf<"problem.escalated">): string {
  return messages === 0 || reminder ? "" : ` (${reason})`;
}

/** A problem by its id, such as `ci-failed:unit`, for people. */
function nameProblem(id: string): string {
  const [, key = id, about = ""] = /^([a-z-]+)(?::(.*))?$/s.exec(id) ?? [];
  if (key === "ci-failed") return about === "" ? "failing check" : `failing check \`${about}\``;
  if (key === "check-setup") return `set-up of check \`${about}\``;
  if (key === "changes-requested") return "requested changes";
  return key.replaceAll("-", " ");
}
