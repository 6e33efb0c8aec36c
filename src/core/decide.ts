import { decideChangeCommand } from "./change/decide-command.ts";
import { decideChangeOutcome, decideChangeStarting } from "./change/decide-intent.ts";
import type { Emitted } from "./event.ts";
import type { FleetEvent } from "./fleet/events.ts";
import { accept, type Command, type Decision, type Input, reject, type SessionObservation } from "./input.ts";
import type { Intent, IntentOutcome } from "./intent.ts";
import type { ProjectPolicy } from "./policy.ts";
import { reactStream } from "./react.ts";
import {
  decideAnswer,
  decideCreate,
  decideInterrupt,
  decideMove,
  decideRestore,
  decideSend,
  decideStop,
} from "./session/decide-command.ts";
import { decideOutcome, decideStarting } from "./session/decide-intent.ts";
import { decideObservation } from "./session/decide-observation.ts";
import type { SessionEvent } from "./session/events.ts";
import type { SessionState } from "./session/state.ts";
import { changeStream, projectStream, sessionStream, splitStream } from "./stream.ts";
import type { World } from "./world.ts";

/** The one decision function: an input and the world give events, or a rejection. Reads no clock and no file. */
export function decide(world: World, input: Input, intents: (id: string) => Intent | undefined, now: number): Decision {
  switch (input.type) {
    case "timer":
      return accept([]);
    case "run.signals":
    case "run.exited":
    case "run.output-seen":
    case "workspace.inspected":
    case "branch.moved":
      return accept(observed(world, input));
    case "base.moved":
      return accept(baseMoved(world, input.projectId, input.head));
    case "intent.starting": {
      const intent = intents(input.id);
      if (intent === undefined || !isWanted(world, intent, now)) return accept([]);
      return accept([
        { stream: intent.stream, event: { type: "intent.started", id: input.id } },
        ...begun(world, intent),
      ]);
    }
    case "intent.outcome": {
      const intent = intents(input.id);
      if (intent === undefined) return accept([]);
      const outcome = finishedAs(input.outcome.kind);
      return accept([
        { stream: intent.stream, event: { type: "intent.finished", id: input.id, outcome } },
        ...ended(world, intent, input.outcome, now),
      ]);
    }
    default:
      return decideCommand(world, input);
  }
}

// A pause, a question or a stop may have been decided just before, in the same commit; then it is withdrawn instead.
function isWanted(world: World, intent: Intent, now: number): boolean {
  return reactStream(world, intent.stream, now).intents.some(({ id }) => id === intent.id);
}

const HELD = ["message-held", "merge-waits", "merge-outdated"];

function finishedAs(kind: string): "done" | "failed" | "unknown" | "held" {
  if (kind === "failed" || kind === "unknown") return kind;
  return HELD.includes(kind) ? "held" : "done";
}

function begun(world: World, { spec }: Intent): readonly Emitted[] {
  if ("sessionId" in spec) {
    const session = world.session(spec.sessionId);
    return session === undefined ? [] : on(session.id, ...decideStarting(session, spec));
  }
  if ("changeKey" in spec) {
    return decideChangeStarting(spec).map((event) => ({ stream: changeStream(spec.changeKey), event }));
  }
  return [{ stream: "fleet", event: { type: "notice.sending", notifier: spec.notifier, ids: spec.noticeIds } }];
}

function ended(world: World, { spec }: Intent, outcome: IntentOutcome, now: number): readonly Emitted[] {
  if ("sessionId" in spec) {
    const session = world.session(spec.sessionId);
    if (session === undefined) return [];
    const base = outcome.kind === "branch-read" && outcome.facts !== null ? outcome.facts.baseHead : null;
    return [
      ...(base === null ? [] : baseMoved(world, session.projectId, base)),
      ...on(session.id, ...decideOutcome(session, spec, outcome, now)),
    ];
  }
  if ("changeKey" in spec) {
    const change = world.change(spec.changeKey);
    return change === undefined ? [] : decideChangeOutcome(world, change, spec, outcome, now);
  }
  const { notifier, noticeIds: ids } = spec;
  if (outcome.kind === "notified") return [{ stream: "fleet", event: { type: "notice.sent", notifier, ids } }];
  const reason = outcome.kind === "failed" ? outcome.message : "nobody can tell whether it was sent";
  const again = outcome.kind === "failed" && outcome.code !== "config-invalid" && outcome.code !== "plugin-unavailable";
  const retryAfterMs = outcome.kind === "failed" ? outcome.retryAfterMs : undefined;
  const failed = { type: "notice.failed", notifier, ids, reason, again } as const;
  return [{ stream: "fleet", event: retryAfterMs === undefined ? failed : { ...failed, retryAfterMs } }];
}

function observed(world: World, observation: SessionObservation): readonly Emitted[] {
  const session = world.session(observation.sessionId);
  if (session === undefined) return [];
  const events = on(session.id, ...decideObservation(session, observation));
  if (observation.type !== "branch.moved") return events;
  return [...baseMoved(world, session.projectId, observation.facts.baseHead), ...events];
}

function baseMoved(world: World, projectId: string, head: string): readonly Emitted[] {
  const project = world.project(projectId);
  if (project === undefined || project.baseHead === head) return [];
  return [{ stream: projectStream(projectId), event: { type: "project.base-moved", head } }];
}

function decideCommand(world: World, command: Command): Decision {
  switch (command.type) {
    case "session.create":
      return decideCreate(world, command);
    case "session.send":
      return withSession(world, command.sessionId, (session) => decideSend(session, command));
    case "session.answer":
      return withSession(world, command.sessionId, (session) => decideAnswer(session, command));
    case "session.interrupt":
      return withSession(world, command.sessionId, (session) => decideInterrupt(session, command));
    case "session.stop":
      return withSession(world, command.sessionId, (session) => decideStop(session, command));
    case "session.restore":
      return withSession(world, command.sessionId, (session) => decideRestore(world, session, command.now === true));
    case "session.move":
      return withSession(world, command.sessionId, (session) => decideMove(world, session, command.runtime));
    case "project.register":
      return decideRegister(world, command);
    case "project.remove":
      return decideRemoveProject(world, command.id);
    case "fleet.limit":
      return world.fleet().limit === command.limit
        ? accept([])
        : fleet({ type: "fleet.limited", limit: command.limit });
    case "fleet.prices":
      return isSame(world.fleet().prices ?? {}, command.prices)
        ? accept([])
        : fleet({ type: "fleet.prices-set", prices: command.prices });
    case "fleet.pause":
    case "fleet.resume":
      return decidePause(world, command);
    case "project.policy":
      return decidePolicy(world, command.id, command.policy);
    case "fleet.routing": {
      const known = world.fleet().notices.routing;
      return isSame(known, command.routing)
        ? accept([])
        : fleet({ type: "fleet.routing-set", routing: command.routing });
    }
    case "inbox.acknowledge":
      return decideAcknowledge(world, command);
    case "change.open":
    case "change.review":
    case "change.reply":
    case "change.resolve":
    case "change.label":
    case "change.recheck":
    case "change.merge":
    case "change.cancel-merge":
    case "change.close":
      return decideChangeCommand(world, command);
    case "daemon.woke":
      return fleet({ type: "daemon.woke", sleptMs: command.sleptMs });
    case "daemon.up":
      return fleet({ type: "daemon.started", version: command.version, pid: command.pid });
    case "daemon.down":
      return fleet({ type: "daemon.stopped", reason: command.reason });
  }
}

function decidePolicy(world: World, id: string, policy: ProjectPolicy): Decision {
  const project = world.project(id);
  if (project === undefined || project.removed || isSame(project.policy, policy)) return accept([]);
  return accept([{ stream: projectStream(id), event: { type: "project.policy-set", policy } }]);
}

// Both come from the same code, so equal settings are equal texts.
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function decideAcknowledge(world: World, command: Extract<Command, { readonly type: "inbox.acknowledge" }>): Decision {
  const { kind, id } = splitStream(command.stream);
  const owner = kind === "change" ? world.change(id) : world.session(id);
  const problem = owner?.problems[command.problem];
  if (problem === undefined) {
    return reject("not-found", "The inbox has no such item.", "`ao inbox` lists them.");
  }
  if (problem.acknowledged) return accept([]);
  return accept([{ stream: command.stream, event: { type: "problem.acknowledged", id: problem.id, by: command.by } }]);
}

function withSession(world: World, id: string, then: (session: SessionState) => Decision): Decision {
  const session = world.session(id);
  if (session !== undefined) return then(session);
  return reject("session-unknown", `There is no session "${id}".`, "`ao list --all` lists them.");
}

function decideRegister(world: World, command: Extract<Command, { readonly type: "project.register" }>): Decision {
  const known = world.project(command.id);
  if (known !== undefined && !known.removed && known.path !== command.path) {
    return reject(
      "project-exists",
      `Project "${command.id}" is already registered for ${known.path}.`,
      "Give one of them another id under `projects:` in its agent-orchestrator.yaml.",
    );
  }
  const { type: _, ...facts } = command;
  const unchanged =
    known !== undefined &&
    !known.removed &&
    Object.entries(facts).every(([key, value]) => known[key as keyof typeof known] === value);
  if (unchanged) return accept([]);
  return accept([{ stream: projectStream(command.id), event: { type: "project.registered", ...facts } }]);
}

function decideRemoveProject(world: World, id: string): Decision {
  const project = world.project(id);
  if (project === undefined || project.removed) {
    return reject("project-unknown", `There is no project "${id}".`, "`ao projects` lists them.");
  }
  const open = [...world.activeSessions(id)].filter((session) => session.phase !== "stopped");
  if (open.length > 0) {
    return reject(
      "conflict",
      `Project "${id}" still has ${open.length} open session${open.length === 1 ? "" : "s"}.`,
      `Stop them first: \`ao stop --project ${id} --all\`.`,
    );
  }
  return accept([{ stream: projectStream(id), event: { type: "project.removed" } }]);
}

function decidePause(
  world: World,
  command: Extract<Command, { readonly type: "fleet.pause" | "fleet.resume" }>,
): Decision {
  const paused = command.type === "fleet.pause";
  if (command.projectId === null) {
    return world.fleet().paused === paused ? accept([]) : fleet({ type: paused ? "fleet.paused" : "fleet.resumed" });
  }
  const project = world.project(command.projectId);
  if (project === undefined || project.removed) {
    return reject("project-unknown", `There is no project "${command.projectId}".`, "`ao projects` lists them.");
  }
  if (project.paused === paused) return accept([]);
  return accept([
    { stream: projectStream(project.id), event: { type: paused ? "project.paused" : "project.resumed" } },
  ]);
}

function fleet(event: FleetEvent): Decision {
  return accept([{ stream: "fleet", event }]);
}

function on(sessionId: string, ...events: readonly SessionEvent[]): readonly Emitted[] {
  return events.map((event) => ({ stream: sessionStream(sessionId), event }));
}
