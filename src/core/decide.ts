import type { FleetEvent } from "./fleet/state.ts";
import { accept, type Command, type Decision, type Input, type Observation, reject } from "./input.ts";
import type { Intent } from "./intent.ts";
import { decideAnswer, decideCreate, decideRestore, decideSend, decideStop } from "./session/decide-command.ts";
import { decideOutcome, decideStarting } from "./session/decide-intent.ts";
import { decideObservation } from "./session/decide-observation.ts";
import type { SessionEvent } from "./session/events.ts";
import { react } from "./session/react.ts";
import type { SessionState } from "./session/state.ts";
import { projectStream, sessionStream } from "./stream.ts";
import { type Emitted, isPaused, type World } from "./world.ts";

/** The one decision function: an input and the world give events, or a rejection. Reads no clock and no file. */
export function decide(world: World, input: Input, intents: (id: string) => Intent | undefined, now: number): Decision {
  switch (input.type) {
    case "timer":
      return accept([]);
    case "run.signals":
    case "run.exited":
    case "workspace.inspected":
      return accept(observed(world, input));
    case "intent.starting": {
      const intent = intents(input.id);
      const session = intent === undefined ? undefined : world.session(intent.spec.sessionId);
      if (intent === undefined || session === undefined || !isWanted(world, session, input.id, now)) return accept([]);
      return accept(on(session.id, { type: "intent.started", id: input.id }, ...decideStarting(session, intent.spec)));
    }
    case "intent.outcome": {
      const intent = intents(input.id);
      const session = intent === undefined ? undefined : world.session(intent.spec.sessionId);
      if (intent === undefined || session === undefined) return accept([]);
      const outcome = finishedAs(input.outcome.kind);
      const events = decideOutcome(session, intent.spec, input.outcome, now);
      return accept(on(session.id, { type: "intent.finished", id: input.id, outcome }, ...events));
    }
    default:
      return decideCommand(world, input);
  }
}

// A pause, a question or a stop may have been decided just before, in the same commit; then it is withdrawn instead.
function isWanted(world: World, session: SessionState, intentId: string, now: number): boolean {
  const { intents } = react(session, { paused: isPaused(world, session.projectId) }, now);
  return intents.some(({ id }) => id === intentId);
}

function finishedAs(kind: string): "done" | "failed" | "unknown" | "held" {
  if (kind === "failed" || kind === "unknown") return kind;
  return kind === "message-held" ? "held" : "done";
}

function observed(world: World, observation: Observation): readonly Emitted[] {
  const session = world.session(observation.sessionId);
  return session === undefined ? [] : on(session.id, ...decideObservation(session, observation));
}

function decideCommand(world: World, command: Command): Decision {
  switch (command.type) {
    case "session.create":
      return decideCreate(world, command);
    case "session.send":
      return withSession(world, command.sessionId, (session) => decideSend(session, command));
    case "session.answer":
      return withSession(world, command.sessionId, (session) => decideAnswer(session, command));
    case "session.stop":
      return withSession(world, command.sessionId, (session) => decideStop(session, command));
    case "session.restore":
      return withSession(world, command.sessionId, (session) => decideRestore(world, session));
    case "project.register":
      return decideRegister(world, command);
    case "project.remove":
      return decideRemoveProject(world, command.id);
    case "fleet.limit":
      return world.fleet().limit === command.limit
        ? accept([])
        : fleet({ type: "fleet.limited", limit: command.limit });
    case "fleet.pause":
    case "fleet.resume":
      return decidePause(world, command);
    case "daemon.up":
      return fleet({ type: "daemon.started", version: command.version, pid: command.pid });
    case "daemon.down":
      return fleet({ type: "daemon.stopped", reason: command.reason });
  }
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
  const open = [...world.sessions()].filter((session) => session.projectId === id && session.phase !== "stopped");
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
