import { short } from "../core/change/problems.ts";
import { isNoticeEvent, type NoticeEvent } from "../core/notice/state.ts";
import { summarizeQuestion } from "../core/question.ts";
import { isProblemEvent } from "../core/reaction/problem.ts";
import { describeUncommitted } from "../core/session/branch.ts";
import { HIBERNATED } from "../core/session/hibernate.ts";
import { excerpt } from "../core/text.ts";
import type { AnyEvent } from "../core/world.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { EventView } from "../protocol/view.ts";
import { describeChangeEvent, describeProblemEvent } from "./event-text-change.ts";
import { toTime } from "./time.ts";

/** An event as the API and the timeline show it. */
export function toEventView(stored: StoredEvent): EventView {
  const { type, ...data } = stored.event;
  return {
    position: stored.position,
    stream: stored.stream,
    type,
    at: toTime(stored.at),
    text: describeEvent(stored.event),
    data,
  };
}

/** Steps on the way to something that another event tells. */
const STEPS: ReadonlySet<string> = new Set<AnyEvent["type"]>([
  "agent.stirred",
  "agent.conversing",
  "message.started",
  "message.written",
  "notice.sending",
]);

/** Is this event about how `ao` works inside, rather than about the session? */
export function isInternal(type: string): boolean {
  return type.startsWith("intent.") || STEPS.has(type);
}

/** One sentence about an event. */
export function describeEvent(event: AnyEvent): string {
  if (isProblemEvent(event)) return describeProblemEvent(event);
  if (isNoticeEvent(event)) return describeNotice(event);
  if (isTalk(event)) return describeTalk(event);
  switch (event.type) {
    case "session.requested":
      return `requested: ${event.title}`;
    case "session.admitted":
      return "slot free, starting";
    case "session.stop-requested":
      return event.reason === "asked for" ? "stopping" : `stopping: ${event.reason}`;
    case "session.stopped":
      return "stopped";
    case "session.restore-requested":
      return "restoring";
    case "session.moved":
      return `moved to runtime ${event.runtime.plugin}`;
    case "workspace.creating":
      return "creating worktree";
    case "workspace.created":
      return [`worktree ready on ${event.branch}`, ...event.notes].join("; ");
    case "workspace.failed":
      return `creating the worktree failed: ${event.reason}`;
    case "workspace.vanished":
      return `worktree missing: ${event.evidence}`;
    case "workspace.reappeared":
      return "worktree is back";
    case "workspace.removed":
      return event.preservedRef === null
        ? "worktree removed, nothing uncommitted"
        : `worktree removed, uncommitted work saved in ${event.preservedRef}`;
    case "workspace.kept":
      return `worktree kept: ${event.reason}`;
    case "run.starting":
      return "starting agent";
    case "run.started":
      return event.run === 1 ? "agent started" : `agent restarted (run ${event.run})`;
    case "run.hibernating":
      return "idle, hibernating the agent";
    case "run.end-failed":
      return `could not stop the agent: ${event.reason}`;
    case "run.ended":
      return event.evidence === HIBERNATED ? "agent hibernated" : `agent exited: ${event.evidence}`;
    case "branch.seen":
      return describeBranch(event);
    case "intent.recorded":
      return `wanted: ${event.spec.kind}`;
    case "intent.started":
    case "intent.withdrawn":
      return `${event.type.slice(7)}: ${event.id}`;
    case "intent.finished":
      return `${event.outcome}: ${event.id}`;
    case "daemon.started":
      return `daemon ${event.version} started`;
    case "daemon.stopped":
      return `daemon stopped: ${event.reason}`;
    case "fleet.limited":
      return `at most ${count(event.limit, "agent")} in parallel`;
    case "task.claimed":
      return `claimed by ${event.sessionId}`;
    case "task.released":
      return `released by ${event.sessionId}`;
    case "project.registered":
      return `registered ${event.path}`;
    case "project.removed":
    case "project.paused":
    case "project.resumed":
    case "fleet.paused":
    case "fleet.resumed":
      return event.type.split(".")[1] ?? "";
    case "project.policy-set":
      return "policy updated";
    case "project.base-moved":
      return `base branch moved to ${short(event.head)}`;
    case "project.completed":
      return `all done, ${event.merged} merged`;
    case "daemon.woke":
      return `machine slept for ${Math.round(event.sleptMs / 1000)} s`;
    case "fleet.routing-set":
      return "notification routing updated";
    case "fleet.prices-set":
      return "model prices updated";
    default:
      return describeChangeEvent(event);
  }
}

function describeNotice(event: NoticeEvent): string {
  switch (event.type) {
    case "notice.raised":
      return `${event.priority}: ${event.title}`;
    case "notice.sending":
      return `notifying by ${event.notifier}`;
    case "notice.sent":
      return `notified by ${event.notifier}`;
    case "notice.failed":
      return `could not notify by ${event.notifier}: ${event.reason}`;
  }
}

const ACCEPTED = {
  received: "message delivered",
  done: "message delivered, turn done",
  exit: "message delivered, agent exited with code 0",
} as const;

type Talk = Extract<AnyEvent, { readonly type: `message.${string}` | `agent.${string}` }>;

function isTalk(event: AnyEvent): event is Talk {
  return event.type.startsWith("message.") || event.type.startsWith("agent.");
}

function describeTalk(event: Talk): string {
  switch (event.type) {
    case "message.queued":
      return event.kind === "interrupt" ? "interrupt requested" : `${event.kind} queued: "${excerpt(event.text)}"`;
    case "message.started":
      return event.attempt === 1 ? "sending message" : `sending message (attempt ${event.attempt})`;
    case "message.written":
      return "message sent, not confirmed yet";
    case "message.held":
      return `message held back: ${event.reason}`;
    case "message.waiting":
      return `message waiting in the agent: ${event.reason}`;
    case "message.accepted":
      return ACCEPTED[event.by];
    case "message.returned":
      return `message will be sent again: ${event.reason}`;
    case "message.unknown":
      return `message delivery unknown: ${event.reason}`;
    case "message.failed":
      return `message failed: ${event.reason}`;
    case "message.withdrawn":
      return `message withdrawn: ${event.reason}`;
    default:
      return describeAgent(event);
  }
}

function describeAgent(event: Exclude<Talk, { readonly type: `message.${string}` }>): string {
  switch (event.type) {
    case "agent.stirred":
      return "agent printed output";
    case "agent.reported":
      return event.note === null ? event.state : `${event.state}: ${event.note}`;
    case "agent.asked":
      return event.kind === "permission" ? summarizeQuestion(event) : `agent asks: ${summarizeQuestion(event)}`;
    case "agent.unasked":
      return "question withdrawn";
    case "agent.answered":
      return `answered: ${event.choice}`;
    case "agent.used":
      return `${thousands(event.inputTokens)} tokens in, ${thousands(event.outputTokens)} out`;
    case "agent.limited":
      return event.until === null
        ? `rate limited: ${event.reason}`
        : `rate limited until ${clockTime(event.until)}: ${event.reason}`;
    case "agent.errored":
      return `turn failed: ${event.reason}`;
    case "agent.conversing":
      return `conversation ${event.id}`;
    case "agent.finished":
      if (event.summary === "interrupted") return "interrupted";
      return event.summary === "" ? "turn done" : `turn done: ${event.summary}`;
  }
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function thousands(number: number): string {
  return number < 1000 ? String(number) : `${(number / 1000).toFixed(1)}k`;
}

// As the clock on the wall of this machine shows it.
function clockTime(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

function describeBranch({ head, ahead, uncommitted }: Extract<AnyEvent, { readonly type: "branch.seen" }>): string {
  const commits = ahead === 0 ? "no new commits" : `${count(ahead, "new commit")} (${short(head)})`;
  return uncommitted == null ? commits : `${commits}, ${describeUncommitted(uncommitted)}`;
}
