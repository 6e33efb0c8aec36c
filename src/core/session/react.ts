import { type Intent, type IntentSpec, intentId, type Wanted } from "../intent.ts";
import { isUnderLimit, onlyHostsOf } from "../network-limit.ts";
import type { TrustPolicy } from "../policy.ts";
import { sessionStream } from "../stream.ts";
import { type HibernationPolicy, hibernationDue, isAsleep } from "./hibernate.ts";
import { isToLeave, MAX_FAILED_RUNS, type Message, type SessionState } from "./state.ts";

const NOTHING: Wanted = { intents: [], wakeAt: null };

/** Pause before the next attempt after this many runs without progress, in ms. */
const BACKOFF_MS = [0, 200, 1000, 5000, 15_000];

/** How many quick ends are free; after them each pause is longer, up to a minute. */
const FREE_QUICK_ENDS = 4;

function quickEndPause(quickEnds: number): number {
  return quickEnds <= FREE_QUICK_ENDS ? 0 : Math.min(60_000, 1000 * 2 ** (quickEnds - FREE_QUICK_ENDS));
}

/** What a session's wants depend on besides its own state. */
export interface ReactPolicy {
  readonly paused: boolean;
  /** Absent: its agent is never hibernated. */
  readonly hibernation?: HibernationPolicy;
  /** Absent: it takes nothing from an agent that read untrusted text. */
  readonly trust?: TrustPolicy | undefined;
}

/** What a session wants done now. Level-triggered: it depends only on the state, never on what just happened. */
export function reactSession(session: SessionState, policy: ReactPolicy, now: number): Wanted {
  switch (session.phase) {
    case "queued":
    case "stopped":
      return NOTHING;
    case "stopping":
      return reactStopping(session);
    case "open":
      return withInterrupt(session, policy.paused ? NOTHING : withLook(session, reactOpen(session, policy, now)));
  }
}

// It ends work, so no pause, question or missing folder holds it back, and everything else is sent after it.
function withInterrupt(session: SessionState, wanted: Wanted): Wanted {
  const next = session.messages.find(
    ({ kind, status }) => kind === "interrupt" && (status === "queued" || status === "started"),
  );
  if (next === undefined || session.run.state !== "alive") return wanted;
  const others = wanted.intents.filter(({ spec }) => spec.kind !== "send-message");
  return { ...wanted, intents: [send(session, next), ...others] };
}

// After each turn the branch is read: new commits become a pull request.
function withLook(session: SessionState, wanted: Wanted): Wanted {
  const { turns, branchSeen, workspace } = session;
  if (workspace.state !== "ready" || turns <= (branchSeen?.turn ?? 0)) return wanted;
  const spec: IntentSpec = { kind: "read-branch", sessionId: session.id, turn: turns };
  return { ...wanted, intents: [...wanted.intents, make(session, "branch", spec, turns, 1)] };
}

function reactStopping(session: SessionState): Wanted {
  const { run, workspace } = session;
  // A started effect is awaited; only then is it known what there is to take down.
  if (workspace.state === "creating" || run.state === "starting") return NOTHING;
  if (run.state === "alive") return end(session);
  if (workspace.state === "ready" || workspace.state === "missing" || workspace.state === "branch-missing") {
    const { generation } = workspace;
    return only(session, "workspace", { kind: "remove-workspace", sessionId: session.id, generation }, generation);
  }
  return NOTHING;
}

function reactOpen(session: SessionState, policy: ReactPolicy, now: number): Wanted {
  const { workspace } = session;
  switch (workspace.state) {
    case "none": {
      const { generation, restore, path } = workspace;
      const { run } = session;
      if (path === null && run.state === "starting") return NOTHING;
      if (path === null && run.state === "alive") return end(session);
      return only(
        session,
        "workspace",
        { kind: "create-workspace", sessionId: session.id, generation, restore },
        generation,
      );
    }
    case "ready":
    case "branch-missing":
      return session.run.state === "alive" ? reactAlive(session, policy, now) : reactNotRunning(session, now);
    default:
      return NOTHING;
  }
}

function reactNotRunning(session: SessionState, now: number): Wanted {
  if (session.run.state === "starting") return NOTHING;
  const next = nextQueued(session);
  if (session.input === "file") {
    if (next === undefined) return NOTHING;
    return start(session, next.id);
  }
  if (session.run.state === "none") return start(session, null);
  const wanted = (session.run.code !== 0 && !isAsleep(session)) || session.turn !== null || next !== undefined;
  if (!wanted || session.run.failures >= MAX_FAILED_RUNS) return NOTHING;
  const pause = Math.max(BACKOFF_MS[session.run.failures] ?? 0, quickEndPause(session.run.quickEnds));
  const due = (session.run.endedAt ?? 0) + pause;
  return due > now ? { intents: [], wakeAt: due } : start(session, null);
}

// A run that cannot be ended is tried a few more times; then a person has to look (see the inbox).
function end(session: SessionState): Wanted {
  const { n, endFailures, endTries } = session.run;
  if (endFailures >= endTries) return NOTHING;
  const spec: IntentSpec = { kind: "end-run", sessionId: session.id, run: n };
  return { intents: [make(session, "run", spec, n, endFailures + 1)], wakeAt: null };
}

function start(session: SessionState, messageId: string | null): Wanted {
  // A hook may still be putting files there that the agent needs.
  if ((session.commands ?? []).some(({ cause }) => cause === "after-workspace-created")) return NOTHING;
  const run = session.run.n + 1;
  return only(session, "run", { kind: "start-run", sessionId: session.id, run, messageId }, run);
}

// A run that the session moved away from, or that hibernates, is ended first; if that fails, it continues its work. One
// message at a time, oldest first: a message requeued from a dead agent must not be overtaken by the next.
function reactAlive(session: SessionState, { hibernation, trust }: ReactPolicy, now: number): Wanted {
  const leaving = isToLeave(session) ? end(session) : NOTHING;
  // A run that reaches more hosts than it may gets no messages, even if it cannot be ended.
  const isDone = leaving.intents.length > 0 || session.run.restrictFailed === true;
  if (isDone || session.input === "file") return leaving;
  const hosts = onlyHostsOf(session, trust);
  if (!isUnderLimit(session.run, hosts)) return restrict(session, hosts);
  const blocked = session.question !== null;
  const next = session.messages.find(
    (message) =>
      (message.status === "queued" || message.status === "started") &&
      message.kind !== "interrupt" &&
      (!blocked || message.kind === "answer"),
  );
  if (next === undefined) return hibernation === undefined ? NOTHING : hibernate(session, hibernation, now);
  if (next.status === "queued" && next.notBefore > now) return { intents: [], wakeAt: next.notBefore };
  return { intents: [send(session, next)], wakeAt: null };
}

// Messages follow once it is in force: one of them has the untrusted text.
function restrict(session: SessionState, hosts: readonly string[] | null): Wanted {
  const { n: run, hostChanges = 0 } = session.run;
  const spec: IntentSpec = { kind: "restrict-network", sessionId: session.id, run, hosts };
  return { intents: [make(session, "network", spec, `${run}.${hostChanges + 1}`, 1)], wakeAt: null };
}

function hibernate(session: SessionState, policy: HibernationPolicy, now: number): Wanted {
  const due = hibernationDue(session, policy);
  if (due === null) return NOTHING;
  return due > now ? { intents: [], wakeAt: due } : end(session);
}

function send(session: SessionState, message: Message): Intent {
  // A message on its way to an earlier run is awaited there; its outcome requeues it.
  const run = message.status === "started" ? (message.run ?? session.run.n) : session.run.n;
  const spec: IntentSpec = {
    kind: "send-message",
    sessionId: session.id,
    run,
    messageId: message.id,
    attempt: message.attempt,
  };
  return make(session, "inbox", spec, `${message.id}@${run}`, message.attempt);
}

function nextQueued(session: SessionState): Message | undefined {
  return session.messages.find(({ status, kind }) => status === "queued" && kind !== "answer" && kind !== "interrupt");
}

function only(session: SessionState, lane: string, spec: IntentSpec, occurrence: number): Wanted {
  return { intents: [make(session, lane, spec, occurrence, 1)], wakeAt: null };
}

function make(
  session: SessionState,
  lane: string,
  spec: IntentSpec,
  occurrence: string | number,
  attempt: number,
): Intent {
  const stream = sessionStream(session.id);
  return { id: intentId(stream, spec.kind, occurrence, attempt), stream, lane: `${lane}:${session.id}`, spec };
}
