import type { CommandEvent } from "../core/command/command-run.ts";
import type { EventOf } from "../core/event.ts";
import { shortCommit } from "../core/hash.ts";
import type { IntentEvent } from "../core/intent.ts";
import { summarizeQuestion } from "../core/question.ts";
import type { ProblemEvent } from "../core/reaction/problem.ts";
import type { UntrustedEvent } from "../core/reaction/untrusted.ts";
import { describeUncommitted } from "../core/session/branch.ts";
import type { SessionEvent } from "../core/session/events.ts";
import { HIBERNATED } from "../core/session/hibernate.ts";
import { excerpt } from "../core/text.ts";
import type { EventTexts } from "./event-texts.ts";

const ACCEPTED = {
  received: "message delivered",
  done: "message delivered, turn done",
  exit: "message delivered, agent exited with code 0",
} as const;

/** The texts of a session's own events. */
export const SESSION_TEXTS: EventTexts<
  Exclude<SessionEvent, ProblemEvent | CommandEvent | UntrustedEvent | IntentEvent>["type"]
> = {
  "session.requested": ({ title, stackedOn }) =>
    `requested${stackedOn === undefined ? "" : ` on ${stackedOn.sessionId}`}: ${title}`,
  "session.retargeted": ({ landed }) =>
    landed === undefined ? "no longer stacked" : `#${landed.number}, which it is stacked on, is merged`,
  "session.admitted": () => "slot free, starting",
  "session.stop-requested": ({ reason }) => (reason === "asked for" ? "stopping" : `stopping: ${reason}`),
  "session.stopped": () => "stopped",
  "session.restore-requested": () => "restoring",
  "session.moved": ({ runtime }) => `moved to runtime ${runtime.plugin}`,
  "session.archived": () => "archived",
  "session.unarchived": () => "back from the archive",
  "workspace.creating": () => "creating worktree",
  "workspace.created": ({ branch, notes }) => [`worktree ready on ${branch}`, ...notes].join("; "),
  "workspace.failed": ({ reason }) => `creating the worktree failed: ${reason}`,
  "workspace.vanished": ({ evidence }) => `worktree missing: ${evidence}`,
  "workspace.reappeared": () => "worktree is back",
  "workspace.branch-left": ({ on }) => `worktree left its branch for ${on}`,
  "workspace.branch-returned": () => "worktree is on its branch again",
  "workspace.relocated": ({ path }) => `worktree moved to ${path}`,
  "workspace.removed": ({ preservedRef }) =>
    preservedRef === null
      ? "worktree removed, nothing uncommitted"
      : `worktree removed, uncommitted work saved in ${preservedRef}`,
  "workspace.kept": ({ reason }) => `worktree kept: ${reason}`,
  "run.starting": ({ onlyHosts }) =>
    onlyHosts === undefined ? "starting agent" : `starting agent, network restricted to ${listHosts(onlyHosts)}`,
  "run.started": ({ run }) => (run === 1 ? "agent started" : `agent restarted (run ${run})`),
  "run.hibernating": () => "idle, hibernating the agent",
  "run.network-restricted": ({ hosts }) =>
    hosts === null
      ? "network restriction lifted"
      : `network restricted to ${listHosts(hosts)}, because of untrusted text`,
  "run.restrict-failed": ({ reason }) => `network not restricted, so the agent is restarted: ${reason}`,
  "run.end-failed": ({ reason }) => `could not stop the agent: ${reason}`,
  "run.ended": ({ evidence }) => (evidence === HIBERNATED ? "agent hibernated" : `agent exited: ${evidence}`),
  "message.queued": ({ kind, text }) =>
    kind === "interrupt" ? "interrupt requested" : `${kind} queued: "${excerpt(text)}"`,
  "message.started": ({ attempt }) => (attempt === 1 ? "sending message" : `sending message (attempt ${attempt})`),
  "message.written": () => "message sent, not confirmed yet",
  "message.held": ({ reason }) => `message held back: ${reason}`,
  "message.waiting": ({ reason }) => `message waiting in the agent: ${reason}`,
  "message.accepted": ({ by }) => ACCEPTED[by],
  "message.returned": ({ reason }) => `message will be sent again: ${reason}`,
  "message.unknown": ({ reason }) => `message delivery unknown: ${reason}`,
  "message.failed": ({ reason }) => `message failed: ${reason}`,
  "message.withdrawn": ({ reason }) => `message withdrawn: ${reason}`,
  "agent.reported": ({ state, note }) => (note === null ? state : `${state}: ${note}`),
  "agent.asked": (event) =>
    event.kind === "permission" ? summarizeQuestion(event) : `agent asks: ${summarizeQuestion(event)}`,
  "question.withdrawn": () => "question withdrawn",
  "agent.answered": ({ choice }) => `answered: ${choice}`,
  "agent.used": ({ inputTokens, outputTokens }) =>
    `${thousands(inputTokens)} tokens in, ${thousands(outputTokens)} out`,
  "agent.finished": ({ summary }) => {
    if (summary === "interrupted") return "interrupted";
    return summary === "" ? "turn done" : `turn done: ${summary}`;
  },
  "agent.limited": ({ until, reason, cause }) => {
    const what = cause === "outage" ? "model service unavailable" : "rate limited";
    return `${what}${until === null ? "" : `; next try ${clockTime(until)}`}: ${reason}`;
  },
  "agent.errored": ({ reason }) => `turn failed: ${reason}`,
  "agent.path-refused": ({ path }) => `sandbox: ${path} is read-only`,
  "agent.host-refused": ({ host }) => `network: refused ${host}, not in the sandbox's list of hosts`,
  "conversation.known": ({ id }) => `conversation ${id}`,
  "agent.output-seen": () => "agent printed output",
  "branch.seen": describeBranch,
  "change.open-requested": ({ by }) => `${by} requested a pull request`,
  "change.open-failed": ({ reason }) => `pull request not opened: ${reason}`,
};

function listHosts(hosts: readonly string[]): string {
  return hosts.length === 0 ? "no hosts" : hosts.join(", ");
}

function thousands(number: number): string {
  return number < 1000 ? String(number) : `${(number / 1000).toFixed(1)}k`;
}

// In the time zone of this machine.
function clockTime(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

function describeBranch({ head, ahead, uncommitted }: EventOf<"branch.seen">): string {
  const commits =
    ahead === 0 ? "no new commits" : `${ahead} new commit${ahead === 1 ? "" : "s"} (${shortCommit(head)})`;
  return uncommitted == null ? commits : `${commits}, ${describeUncommitted(uncommitted)}`;
}
