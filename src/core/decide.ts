import { decideChangeCommand } from "./change/decide.ts";
import { decideChangeOutcome, decideChangeStarting } from "./change/decide-intent.ts";
import { decideObserved } from "./change/decide-observed.ts";
import { decideOpened } from "./change/open.ts";
import { decideCommandOutcome } from "./command/react-commands.ts";
import type { Emitted } from "./event.ts";
import { decideFleetCommand, decideFleetOutcome, decideFleetStarting } from "./fleet/decide.ts";
import { accept, type Command, type Decision, type Input } from "./input.ts";
import type { Intent, IntentOutcome, IntentSpec } from "./intent.ts";
import { decideSnooze } from "./need/snooze.ts";
import { decideBaseMoved, decideProjectCommand } from "./project/decide.ts";
import { decideCollisions } from "./project/decide-collisions.ts";
import { decideRepository } from "./project/decide-repository.ts";
import { reactStream } from "./react.ts";
import { decideAcknowledge, decidePass } from "./reaction/decide.ts";
import {
  decideSessionCommand,
  decideSessionObservation,
  decideSessionOutcome,
  decideSessionStarting,
} from "./session/decide.ts";
import { decideProjectOutcome, decideProjectStarting, decideTrainCommand } from "./train/decide.ts";
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
      return accept(decideSessionObservation(world, input));
    case "change.seen":
      return accept(decideObserved(world, input, now));
    case "base.moved":
      return accept(decideBaseMoved(world, input.projectId, input.head));
    case "repository.seen":
      return accept(decideRepository(world, input.projectId, input.seen));
    case "collisions.seen":
      return accept(decideCollisions(world, input.projectId, input.collisions));
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
        ...ended(world, { spec: intent.spec, outcome: input.outcome }, now),
      ]);
    }
    default:
      return decideCommand(world, input, now);
  }
}

// A pause, a question or a stop may have been decided just before, in the same commit; then it is withdrawn instead.
function isWanted(world: World, intent: Intent, now: number): boolean {
  return reactStream(world, intent.stream, now).intents.some(({ id }) => id === intent.id);
}

const HELD = ["message-held", "merge-waits", "merge-outdated", "effect-held", "train-lost"];

function finishedAs(kind: string): "done" | "failed" | "unknown" | "held" {
  if (kind === "failed" || kind === "unknown") return kind;
  return HELD.includes(kind) ? "held" : "done";
}

interface Ended {
  readonly spec: IntentSpec;
  readonly outcome: IntentOutcome;
}

function begun(world: World, { spec }: Intent): readonly Emitted[] {
  if ("sessionId" in spec) return decideSessionStarting(world, spec);
  if ("projectId" in spec) return decideProjectStarting(spec);
  return "changeKey" in spec ? decideChangeStarting(spec) : decideFleetStarting(spec);
}

function ended(world: World, { spec, outcome }: Ended, now: number): readonly Emitted[] {
  if (spec.kind === "open-change") return decideOpened(world, { spec, outcome }, now);
  if (spec.kind === "run-command" && "sessionId" in spec) {
    const session = world.session(spec.sessionId);
    return session === undefined ? [] : decideCommandOutcome(session, spec, outcome);
  }
  if ("sessionId" in spec) return decideSessionOutcome(world, { spec, outcome }, now);
  if ("projectId" in spec) return decideProjectOutcome(world, spec, outcome);
  return "changeKey" in spec ? decideChangeOutcome(world, { spec, outcome }, now) : decideFleetOutcome(spec, outcome);
}

function decideCommand(world: World, command: Command, now: number): Decision {
  switch (command.type) {
    case "session.create":
    case "session.send":
    case "session.answer":
    case "session.cancel-message":
    case "session.interrupt":
    case "session.stop":
    case "session.restore":
    case "session.move":
      return decideSessionCommand(world, command);
    case "change.open":
    case "change.review":
    case "change.reply":
    case "change.resolve":
    case "change.label":
    case "change.recheck":
    case "change.merge":
    case "change.transfer":
    case "change.retarget":
    case "change.cancel-merge":
    case "change.close":
      return decideChangeCommand(world, command);
    case "project.register":
    case "project.remove":
    case "project.policy":
      return decideProjectCommand(world, command);
    case "train.pause":
    case "train.resume":
    case "train.move":
      return decideTrainCommand(world, command);
    case "fleet.limit":
    case "fleet.prices":
    case "fleet.routing":
    case "fleet.pause":
    case "fleet.resume":
    case "daemon.woke":
    case "daemon.up":
    case "daemon.down":
      return decideFleetCommand(world, command);
    case "inbox.acknowledge":
      return decideAcknowledge(world, command);
    case "inbox.pass":
      return decidePass(world, command);
    case "inbox.snooze":
      return decideSnooze(command, now);
  }
}
