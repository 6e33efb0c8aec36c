import type { AnyEvent, EventType } from "./event.ts";
import type { NoticeEvent } from "./notice/state.ts";
import type { ProblemEvent } from "./reaction/problem.ts";

/** What the daemon needs to know about an event type besides its effect on the state. */
export interface EventTraits {
  /** Its commit must survive a power cut: a person requested it, or an agent confirmed a message. */
  readonly durable: boolean;
  /** About ao's internals; shown only on request. */
  readonly internal: boolean;
  /** Whose wanted effects may change with it: its own stream's, its whole project's, or everyone's. */
  readonly reach: "stream" | "project" | "everyone";
}

type Traits<T extends AnyEvent> = Readonly<Record<T["type"], EventTraits>>;

const PLAIN: EventTraits = { durable: false, internal: false, reach: "stream" };
const DURABLE: EventTraits = { ...PLAIN, durable: true };
const INTERNAL: EventTraits = { ...PLAIN, internal: true };
const ARCHIVING: EventTraits = { ...DURABLE, internal: true };
const PROJECT_WIDE: EventTraits = { ...DURABLE, reach: "project" };
const TRAIN_WIDE: EventTraits = { ...PLAIN, reach: "project" };
const FLEET_WIDE: EventTraits = { ...PLAIN, reach: "everyone" };

const PROBLEM_EVENTS: Traits<ProblemEvent> = {
  "problem.seen": PLAIN,
  "problem.escalated": PLAIN,
  "problem.acknowledged": PLAIN,
  "problem.gone": PLAIN,
  "problem.passed": DURABLE,
  "reaction.sent": PLAIN,
  "reaction.taken": PLAIN,
  "reaction.withdrawn": PLAIN,
};

const NOTICE_EVENTS: Traits<NoticeEvent> = {
  "notice.raised": PLAIN,
  "notice.withdrawn": PLAIN,
  "notice.sending": INTERNAL,
  "notice.sent": PLAIN,
  "notice.failed": PLAIN,
};

/** Every event type. The compiler requires a row here for a new one, and its text in the server. */
export const EVENT_CATALOG: Readonly<Record<EventType, EventTraits>> = {
  "session.requested": DURABLE,
  "session.admitted": DURABLE,
  "session.stop-requested": DURABLE,
  "session.stopped": DURABLE,
  "session.restore-requested": DURABLE,
  "session.moved": DURABLE,
  "session.retargeted": DURABLE,
  "session.archived": ARCHIVING,
  "session.unarchived": ARCHIVING,
  "workspace.creating": PLAIN,
  "workspace.created": PLAIN,
  "workspace.failed": PLAIN,
  "workspace.vanished": PLAIN,
  "workspace.reappeared": PLAIN,
  "workspace.branch-left": PLAIN,
  "workspace.branch-returned": PLAIN,
  "workspace.relocated": DURABLE,
  "workspace.removed": PLAIN,
  "workspace.kept": PLAIN,
  "run.starting": PLAIN,
  "run.started": PLAIN,
  "run.hibernating": PLAIN,
  "run.network-restricted": PLAIN,
  "run.restrict-failed": PLAIN,
  "run.end-failed": PLAIN,
  "run.ended": PLAIN,
  "message.queued": DURABLE,
  "message.started": INTERNAL,
  "message.written": INTERNAL,
  "message.held": PLAIN,
  "message.waiting": PLAIN,
  "message.accepted": DURABLE,
  "message.returned": PLAIN,
  "message.unknown": PLAIN,
  "message.failed": PLAIN,
  "message.withdrawn": PLAIN,
  "agent.reported": PLAIN,
  "agent.asked": PLAIN,
  "question.withdrawn": PLAIN,
  "agent.answered": PLAIN,
  "agent.used": PLAIN,
  "agent.finished": PLAIN,
  "agent.limited": PLAIN,
  "agent.errored": PLAIN,
  "agent.host-refused": PLAIN,
  "agent.path-refused": PLAIN,
  "conversation.known": INTERNAL,
  "agent.output-seen": INTERNAL,
  "branch.seen": PLAIN,
  "change.open-requested": DURABLE,
  "change.open-failed": DURABLE,
  "change.opened": DURABLE,
  "change.reopened": DURABLE,
  "change.transfer-requested": DURABLE,
  "change.transfer-failed": DURABLE,
  "change.transferred": DURABLE,
  "change.updated": DURABLE,
  "change.stacked": DURABLE,
  "change.retargeted": DURABLE,
  "change.published": DURABLE,
  "change.publish-failed": DURABLE,
  "change.diverged": DURABLE,
  "change.observed": { ...DURABLE, internal: true },
  "change.write-queued": { ...DURABLE, internal: true },
  "change.write-held": { ...DURABLE, internal: true },
  "change.write-settled": { ...DURABLE, internal: true },
  "change.closed": DURABLE,
  "change.tried": DURABLE,
  "change.merged": DURABLE,
  "change.archived": ARCHIVING,
  "change.unarchived": ARCHIVING,
  "check.started": PLAIN,
  "check.finished": PLAIN,
  "check.rerun-requested": PLAIN,
  "check.attributed": PLAIN,
  "check.flaked": PLAIN,
  "review.given": DURABLE,
  "review.dismissed": PLAIN,
  "review.requested": DURABLE,
  "thread.replied": PLAIN,
  "thread.resolved": PLAIN,
  "thread.reopened": PLAIN,
  "label.added": PLAIN,
  "label.removed": PLAIN,
  "merge.requested": DURABLE,
  "merge.held": DURABLE,
  "merge.released": DURABLE,
  "merge.queued": DURABLE,
  "merge.dequeued": DURABLE,
  "merge.refused": DURABLE,
  "merge.rejected": DURABLE,
  "merge.cancelled": DURABLE,
  "branch.settled": PLAIN,
  "issue.held": PLAIN,
  "issue.settled": PLAIN,
  "task.claimed": PLAIN,
  "task.released": PLAIN,
  "project.registered": PROJECT_WIDE,
  "project.removed": PROJECT_WIDE,
  "project.paused": PROJECT_WIDE,
  "project.resumed": PROJECT_WIDE,
  "project.policy-set": PROJECT_WIDE,
  "project.base-moved": PROJECT_WIDE,
  "project.vanished": DURABLE,
  "project.reappeared": PLAIN,
  "project.base-followed": INTERNAL,
  "project.base-rewritten": DURABLE,
  "project.base-committed": DURABLE,
  "project.base-accepted": DURABLE,
  "collision.found": PLAIN,
  "collision.gone": PLAIN,
  "project.completed": PROJECT_WIDE,
  "train.formed": PLAIN,
  "train.built": TRAIN_WIDE,
  "train.released": INTERNAL,
  "train.ended": TRAIN_WIDE,
  "train.paused": PROJECT_WIDE,
  "train.resumed": PROJECT_WIDE,
  "train.reordered": DURABLE,
  "commit.check-requested": PLAIN,
  "commit.check-started": PLAIN,
  "commit.check-finished": TRAIN_WIDE,
  "main.watched": PLAIN,
  "main.passed": PLAIN,
  "main.broke": PLAIN,
  "main.blamed": PLAIN,
  "main.reverted": PLAIN,
  "main.revert-failed": PLAIN,
  "main.returned": PLAIN,
  "fleet.limited": PLAIN,
  "fleet.paused": FLEET_WIDE,
  "fleet.resumed": FLEET_WIDE,
  "fleet.routing-set": PLAIN,
  "fleet.prices-set": PLAIN,
  "inbox.snoozed": PLAIN,
  "inbox.returned": PLAIN,
  "daemon.started": FLEET_WIDE,
  "daemon.stopped": PLAIN,
  "daemon.woke": PLAIN,
  "untrusted.read": DURABLE,
  "command.queued": PLAIN,
  "command.finished": PLAIN,
  "intent.recorded": INTERNAL,
  "intent.started": INTERNAL,
  "intent.finished": INTERNAL,
  "intent.withdrawn": INTERNAL,
  ...PROBLEM_EVENTS,
  ...NOTICE_EVENTS,
};

/** Must a commit with this event reach the disk before anyone is answered? */
export function mustReachDisk({ type }: AnyEvent): boolean {
  return EVENT_CATALOG[type].durable;
}

/** Is this event about ao's internals, rather than about the session? An event that only a newer `ao` knows is too. */
export function isInternal({ type }: AnyEvent): boolean {
  return !Object.hasOwn(EVENT_CATALOG, type) || EVENT_CATALOG[type].internal;
}

/** Is this one of the events about problems? */
export function isProblemEvent(event: AnyEvent): event is ProblemEvent {
  return Object.hasOwn(PROBLEM_EVENTS, event.type);
}

/** Is this one of the events about notices? */
export function isNoticeEvent(event: AnyEvent): event is NoticeEvent {
  return Object.hasOwn(NOTICE_EVENTS, event.type);
}
