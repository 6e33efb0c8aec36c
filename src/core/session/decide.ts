import { type Emitted, onSession } from "../event.ts";
import type { Decision, SessionCommand, SessionObservation } from "../input.ts";
import type { IntentOutcome, SessionSpec } from "../intent.ts";
import { decideBaseMoved } from "../project/decide.ts";
import { requireSession } from "../require.ts";
import type { World } from "../world.ts";
import {
  decideAnswer,
  decideCancelMessage,
  decideCreate,
  decideInterrupt,
  decideMove,
  decideRestore,
  decideSend,
  decideStop,
} from "./decide-command.ts";
import { decideOutcome, decideStarting } from "./decide-intent.ts";
import { decideObservation } from "./decide-observation.ts";
import type { SessionState } from "./state.ts";

/** Commands about a session. */
export function decideSessionCommand(world: World, command: SessionCommand): Decision {
  if (command.type === "session.create") return decideCreate(world, command);
  return requireSession(world, command.sessionId, (session) => decideOnSession(world, session, command));
}

function decideOnSession(
  world: World,
  session: SessionState,
  command: Exclude<SessionCommand, { readonly type: "session.create" }>,
): Decision {
  switch (command.type) {
    case "session.send":
      return decideSend(session, command);
    case "session.answer":
      return decideAnswer(session, command);
    case "session.cancel-message":
      return decideCancelMessage(session, command);
    case "session.interrupt":
      return decideInterrupt(session, command);
    case "session.stop":
      return decideStop(session, command);
    case "session.restore":
      return decideRestore(world, session, command);
    case "session.move":
      return decideMove(world, session, command.runtime);
  }
}

/** What an observation means for its session and, if it saw the base branch, for its project. */
export function decideSessionObservation(world: World, observation: SessionObservation): readonly Emitted[] {
  const session = world.session(observation.sessionId);
  if (session === undefined) return [];
  const events = onSession(session.id, ...decideObservation(session, observation));
  if (observation.type !== "branch.moved" || observation.facts.isStacked === true) return events;
  return [...decideBaseMoved(world, session.projectId, observation.facts.baseHead), ...events];
}

/** What the start of an effect means for its session. */
export function decideSessionStarting(world: World, spec: SessionSpec): readonly Emitted[] {
  const session = world.session(spec.sessionId);
  if (session === undefined) return [];
  const trust = world.project(session.projectId)?.policy?.trust;
  return onSession(session.id, ...decideStarting(session, spec, trust));
}

/** What the outcome of an effect means for its session and, if it read the base branch, for its project. */
export function decideSessionOutcome(
  world: World,
  { spec, outcome }: { readonly spec: SessionSpec; readonly outcome: IntentOutcome },
  now: number,
): readonly Emitted[] {
  const session = world.session(spec.sessionId);
  if (session === undefined) return [];
  const facts = outcome.kind === "branch-read" ? outcome.facts : null;
  const base = facts === null || facts.isStacked === true ? null : facts.baseHead;
  return [
    ...(base === null ? [] : decideBaseMoved(world, session.projectId, base)),
    ...onSession(session.id, ...decideOutcome(session, spec, outcome, now)),
  ];
}
