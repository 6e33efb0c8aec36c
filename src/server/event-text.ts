import { short } from "../core/change/problems.ts";
import { isNoticeEvent, type NoticeEvent } from "../core/notice/state.ts";
import { summarizeQuestion } from "../core/question.ts";
import { isProblemEvent } from "../core/reaction/problem.ts";
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

/** Is this event about how `ao` works inside, rather than about the session? */
export function isInternal(type: string): boolean {
  return type.startsWith("intent.") || type === "agent.stirred" || type === "notice.sending";
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
      return "there is room: it starts";
    case "session.stop-requested":
      return `stop requested: ${event.reason}`;
    case "session.stopped":
      return "stopped";
    case "session.restore-requested":
      return "restore requested";
    case "session.moved":
      return `moved to the runtime ${event.runtime.plugin}`;
    case "workspace.creating":
      return "its workspace is being made";
    case "workspace.created":
      return [`workspace ready on ${event.branch}`, ...event.notes].join("; ");
    case "workspace.failed":
      return `workspace failed: ${event.reason}`;
    case "workspace.vanished":
      return `workspace gone: ${event.evidence}`;
    case "workspace.reappeared":
      return "its workspace is back";
    case "workspace.removed":
      return event.preservedRef === null
        ? "workspace removed, nothing uncommitted"
        : `uncommitted work saved in ${event.preservedRef}`;
    case "workspace.kept":
      return `its folder stays: ${event.reason}`;
    case "run.starting":
      return `run ${event.run} is being started`;
    case "run.started":
      return `run ${event.run} started, pid ${event.pid}`;
    case "run.end-failed":
      return `run ${event.run} could not be ended: ${event.reason}`;
    case "run.ended":
      return `run ${event.run} ended: ${event.evidence}`;
    case "branch.seen":
      return `its branch is at ${short(event.head)}, ${event.ahead} ahead of its base`;
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
      return `limit of parallel agents: ${event.limit}`;
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
      return "its policy was set";
    case "project.base-moved":
      return `its base is at ${short(event.head)} now`;
    case "project.completed":
      return `all is done, ${event.merged} merged`;
    case "daemon.woke":
      return `the machine slept for ${Math.round(event.sleptMs / 1000)} s`;
    case "fleet.routing-set":
      return "who is told what was set";
    case "fleet.prices-set":
      return "the prices of models were set";
    default:
      return describeChangeEvent(event);
  }
}

function describeNotice(event: NoticeEvent): string {
  switch (event.type) {
    case "notice.raised":
      return `${event.priority}: ${event.title}`;
    case "notice.sending":
      return `${event.notifier} is told`;
    case "notice.sent":
      return `${event.notifier} was told`;
    case "notice.failed":
      return `${event.notifier} was not told: ${event.reason}`;
  }
}

const ACCEPTED = {
  received: "message confirmed by the agent",
  done: "message done: the agent said so",
  exit: "message done: its process ended with exit code 0",
} as const;

type Talk = Extract<AnyEvent, { readonly type: `message.${string}` | `agent.${string}` }>;

function isTalk(event: AnyEvent): event is Talk {
  return event.type.startsWith("message.") || event.type.startsWith("agent.");
}

function describeTalk(event: Talk): string {
  switch (event.type) {
    case "message.queued":
      return event.kind === "interrupt" ? "interrupt asked for" : `${event.kind} queued: "${excerpt(event.text)}"`;
    case "message.started":
      return event.attempt === 1 ? "message on its way" : `message on its way, attempt ${event.attempt}`;
    case "message.written":
      return "message written to the agent";
    case "message.held":
      return `message waits: ${event.reason}`;
    case "message.waiting":
      return `message waits at the agent: ${event.reason}`;
    case "message.accepted":
      return ACCEPTED[event.by];
    case "message.returned":
      return `message comes again: ${event.reason}`;
    case "message.unknown":
      return `nobody can tell whether the message arrived: ${event.reason}`;
    case "message.failed":
      return `message failed: ${event.reason}`;
    case "message.withdrawn":
      return `message taken back: ${event.reason}`;
    case "agent.stirred":
      return "agent printed something";
    case "agent.reported":
      return event.note === null ? `agent is ${event.state}` : `agent is ${event.state}: ${event.note}`;
    case "agent.asked":
      return event.kind === "permission" ? summarizeQuestion(event) : `agent asks: ${summarizeQuestion(event)}`;
    case "agent.unasked":
      return "agent took its question back";
    case "agent.answered":
      return `answered: ${event.choice}`;
    case "agent.used":
      return `used ${event.inputTokens} + ${event.outputTokens} tokens`;
    case "agent.limited":
      return event.until === null
        ? `its vendor refuses for a while: ${event.reason}`
        : `its vendor refuses until ${toTime(event.until)}: ${event.reason}`;
    case "agent.errored":
      return `agent failed: ${event.reason}`;
    case "agent.conversing":
      return `agent's conversation is ${event.id}`;
    case "agent.finished":
      return `agent is done: ${event.summary}`;
  }
}
