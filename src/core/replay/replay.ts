import { settleChanges } from "../change/settle.ts";
import type { ChangeState } from "../change/state.ts";
import type { AnyEvent, Emitted } from "../event.ts";
import { EVENT_CATALOG } from "../event-catalog.ts";
import type { StreamState } from "../evolve.ts";
import { settleMains } from "../guard/settle.ts";
import type { ProjectPolicy } from "../policy.ts";
import { settleCompletion } from "../project/settle.ts";
import { announce } from "../reaction/news.ts";
import { settleSessionProblems, wakeForProblems } from "../session/settle.ts";
import type { SessionState } from "../session/state.ts";
import { settleStacks } from "../stack/settle.ts";
import { changeStream, projectStream, type StreamId, sessionStream, splitStream } from "../stream.ts";
import type { World } from "../world.ts";
import { nextDeadlineOfChange } from "./deadline.ts";
import { createReplayWorld, type ReplayWorld } from "./replay-world.ts";
import {
  isDecidedByRules,
  isPerhapsSettled,
  isRuleMessage,
  isSettled,
  isStep,
  keyOfStep,
  type LoggedEvent,
} from "./step.ts";
import { createTally, type Tally } from "./tally.ts";
import type { Settled } from "./watch-merges.ts";

/** What a replay is about: one session with its pull requests, one pull request, or everything (null). */
export type ReplayScope = { readonly sessionId: string } | { readonly changeKey: string } | null;

export interface ReplayOptions {
  readonly scope: ReplayScope;
  /** Rules decide again from this time on; before it everything is as recorded. */
  readonly from: number;
  /** Rules to use instead of the recorded ones, by project. */
  readonly policies: ReadonlyMap<string, ProjectPolicy>;
  /** States to begin with; default: none. */
  readonly states?: ReadonlyMap<StreamId, StreamState>;
  /** Was a daemon running before this event, so that deadlines were met in time? */
  readonly wasWatched?: (logged: LoggedEvent) => boolean;
  /** Called whenever nothing more follows. */
  readonly onSettled?: (settled: Settled) => void;
}

/**
 * Replays the log through the rules. What agents, people and forges did stays as recorded; what the rules do about it is decided
 * again by the same functions as live, on a separate world. Nothing has an effect.
 */
export interface Replay {
  /** The next event of the log. */
  next(logged: LoggedEvent): void;
  /** An event that only rules about it hear of; it changes no state. */
  announce(logged: LoggedEvent): void;
  /** Ends the log and lets deadlines pass until now. */
  finish(now: number): void;
  readonly world: World;
  /** What the rules did, according to the log. */
  readonly recorded: readonly LoggedEvent[];
  /** What they decide in this replay. */
  readonly decided: readonly LoggedEvent[];
  /** Messages that rules would send. */
  readonly messages: readonly Emitted[];
}

interface Running extends ReplayOptions {
  readonly world: ReplayWorld;
  readonly recorded: LoggedEvent[];
  readonly decided: LoggedEvent[];
  readonly messages: Emitted[];
  /** What rules decided at this time and has not been read in the log. */
  readonly steps: Tally;
  /** Other events that the replay made before reading them in the log. */
  readonly ahead: Tally;
  /** The next deadline of each session and pull request. */
  readonly looks: Map<StreamId, number>;
  readonly touched: Set<StreamId>;
  isEveryoneTouched: boolean;
  hasBegun: boolean;
  now: number;
}

/** Creates a replay that has read nothing yet. */
export function createReplay(options: ReplayOptions): Replay {
  const running: Running = {
    ...options,
    world: createReplayWorld(options.states),
    recorded: [],
    decided: [],
    messages: [],
    steps: createTally(),
    ahead: createTally(),
    looks: new Map(),
    touched: new Set(),
    isEveryoneTouched: false,
    hasBegun: false,
    now: 0,
  };
  return {
    next: (logged) => next(running, logged),
    announce: (logged) => {
      for (const news of announce(running.world.view, logged)) emit(running, news);
    },
    finish: (now) => {
      if (!running.hasBegun) begin(running);
      settle(running);
      passTime(running, now);
    },
    world: running.world.view,
    recorded: running.recorded,
    decided: running.decided,
    messages: running.messages,
  };
}

function next(running: Running, logged: LoggedEvent): void {
  const { stream, event, at } = logged;
  if (!running.hasBegun && at < running.from) {
    running.world.apply(logged, at);
    return;
  }
  if (!running.hasBegun) begin(running);
  if (at > running.now) {
    settle(running);
    if ((running.wasWatched ?? wasAwake)(logged)) passTime(running, at);
    running.now = at;
    running.steps.clear();
  }
  const key = keyOfStep(logged);
  const unread = unreadLike(running, logged);
  if (!unread.has(key)) makeUpTo(running, event, key);
  const isMade = unread.take(key);
  if (!isMadeAnew(running, logged)) {
    if (!isMade) apply(running, { stream, event: withOwnRules(running, stream, event) });
  } else if (isStep(event)) running.recorded.push(logged);
}

// As live: one step at a time, with what else the log has of each. So an agent has its message before the next step.
function makeUpTo(running: Running, event: AnyEvent, key: string): void {
  const hasIt = (events: readonly Emitted[]): boolean => events.some((emitted) => keyOfStep(emitted) === key);
  if (isSettled(event)) settle(running, hasIt);
  else if (isPerhapsSettled(event)) {
    touchDue(running);
    const events = decideAnew(running);
    if (hasIt(events)) for (const emitted of events) emit(running, emitted);
  }
}

function unreadLike(running: Running, emitted: Emitted): Tally {
  return isMadeAnew(running, emitted) ? running.steps : running.ahead;
}

// These are the first events after the daemon was down or the machine slept.
function wasAwake({ event }: LoggedEvent): boolean {
  return event.type !== "daemon.started" && event.type !== "daemon.woke";
}

// Problems that are already open are judged by the new rules too.
function begin(running: Running): void {
  running.hasBegun = true;
  running.now = Math.max(running.now, running.from);
  for (const [id, policy] of running.policies) {
    if (running.world.view.project(id) === undefined) continue;
    running.world.apply({ stream: projectStream(id), event: { type: "project.policy-set", policy } }, running.now);
  }
  running.isEveryoneTouched = true;
}

function withOwnRules({ policies }: Running, stream: StreamId, event: AnyEvent): AnyEvent {
  const policy = event.type === "project.policy-set" ? policies.get(splitStream(stream).id) : undefined;
  return policy === undefined ? event : { type: "project.policy-set", policy };
}

function passTime(running: Running, until: number): void {
  for (;;) {
    const due = Math.min(...running.looks.values());
    if (!(due < until)) return;
    running.now = Math.max(running.now, due);
    settle(running);
  }
}

const MAX_ROUNDS = 100;

// Repeats until nothing more follows, as the daemon does in every commit, or until a step is enough.
function settle(running: Running, isEnough: (step: readonly Emitted[]) => boolean = () => false): void {
  const { looks, touched, now } = running;
  touchDue(running);
  if (touched.size === 0 && !running.isEveryoneTouched) return;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const events = decideAnew(running);
    if (events.length === 0) break;
    for (const emitted of events) emit(running, emitted);
    if (isEnough(events)) return;
  }
  const { sessions, changes } = ownersInFocus(running);
  for (const stream of touched) looks.delete(stream);
  const { view } = running.world;
  for (const session of sessions) noteLook(running, sessionStream(session.id), wakeForProblems(view, session, now));
  for (const change of changes) noteLook(running, changeStream(change.key), nextDeadlineOfChange(view, change, now));
  running.onSettled?.({ world: view, changes, now });
  touched.clear();
  running.isEveryoneTouched = false;
}

function touchDue({ looks, touched, now }: Running): void {
  for (const [stream, due] of looks) if (due <= now) touched.add(stream);
}

function decideAnew(running: Running): readonly Emitted[] {
  const { scope, now } = running;
  const { view } = running.world;
  const stacks = settleStacks(view);
  if (stacks.length > 0) return stacks;
  const { sessions, changes } = ownersInFocus(running);
  const focused: World = { ...view, activeSessions: () => sessions, activeChanges: () => changes };
  return [
    ...settleChanges(focused, now),
    ...(scope === null ? settleMains(view) : []),
    ...settleSessionProblems(focused, now),
    ...(scope === null ? settleCompletion(view) : []),
  ];
}

interface Owners {
  readonly sessions: readonly SessionState[];
  readonly changes: readonly ChangeState[];
}

// Those with new events, and their neighbors: a pull request depends on its session, and the reverse.
function ownersInFocus(running: Running): Owners {
  const { view } = running.world;
  const { touched, isEveryoneTouched } = running;
  const isTouched = (sessionId: string | null, key: string | null): boolean =>
    isEveryoneTouched ||
    (sessionId !== null && touched.has(sessionStream(sessionId))) ||
    (key !== null && touched.has(changeStream(key)));
  return {
    sessions: [...view.activeSessions()].filter(
      ({ id }) =>
        isInScope(running, sessionStream(id)) &&
        (isTouched(id, null) || [...view.changesOf(id)].some(({ key }) => isTouched(null, key))),
    ),
    changes: [...view.activeChanges()].filter(
      ({ key, sessionId }) => isInScope(running, changeStream(key)) && isTouched(sessionId, key),
    ),
  };
}

function emit(running: Running, emitted: Emitted): void {
  const { stream, event } = emitted;
  if (isStep(event)) running.decided.push({ stream, event, at: running.now });
  if (isRuleMessage(event)) {
    running.messages.push(emitted);
    return;
  }
  unreadLike(running, emitted).add(keyOfStep(emitted));
  if (event.type !== "notice.raised") apply(running, emitted);
}

function apply(running: Running, emitted: Emitted): void {
  const { world, touched, now } = running;
  world.apply(emitted, now);
  touched.add(emitted.stream);
  if (concernsOthers(emitted)) running.isEveryoneTouched = true;
  if (isInScope(running, emitted.stream)) for (const news of announce(world.view, emitted)) emit(running, news);
}

// The cost of one session counts toward the budgets of others, and collisions are events of the project.
function concernsOthers({ stream, event }: Emitted): boolean {
  if (event.type === "agent.used" || EVENT_CATALOG[event.type]?.reach !== "stream") return true;
  return splitStream(stream).kind === "project" && !event.type.startsWith("intent.");
}

function isMadeAnew(running: Running, { stream, event }: Emitted): boolean {
  return isDecidedByRules(event) && isInScope(running, stream);
}

function isInScope({ scope, world }: Running, stream: StreamId): boolean {
  if (scope === null) return true;
  const { kind, id } = splitStream(stream);
  if ("changeKey" in scope) return kind === "change" && id === scope.changeKey;
  return kind === "session" ? id === scope.sessionId : world.view.change(id)?.sessionId === scope.sessionId;
}

function noteLook({ looks, now }: Running, stream: StreamId, at: number | null): void {
  if (at !== null && at > now) looks.set(stream, at);
  else looks.delete(stream);
}
