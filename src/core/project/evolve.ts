import { addFlake } from "../cause/flake.ts";
import type { MainEvent } from "../guard/events.ts";
import { evolveMain } from "../guard/evolve.ts";
import type { IntentEvent } from "../intent.ts";
import type { CommitCheckEvent, TrainEvent } from "../train/events.ts";
import { evolveCommitCheck, evolveTrain } from "../train/evolve.ts";
import { addCollision, removeCollision } from "./collision.ts";
import type { ProjectEvent } from "./events.ts";
import { evolveRepository } from "./evolve-repository.ts";
import type { ProjectState } from "./state.ts";

/** Applies one event to a project. */
export function evolveProject(
  state: ProjectState | undefined,
  event: ProjectEvent,
  at: number,
): ProjectState | undefined {
  if (event.type === "project.registered") {
    const { type: _, ...facts } = event;
    return {
      ...facts,
      policy: state?.policy ?? null,
      baseHead: state?.baseHead ?? null,
      completedAt: state?.completedAt ?? 0,
      ...learnedOf(state),
      paused: state?.paused ?? false,
      removed: false,
      at,
    };
  }
  if (state === undefined) return undefined;
  switch (event.type) {
    case "project.removed":
      return { ...state, removed: true, at };
    case "project.paused":
      return { ...state, paused: true, at };
    case "project.resumed":
      return { ...state, paused: false, at };
    case "project.policy-set":
      return { ...state, policy: event.policy };
    case "project.base-moved":
      return { ...state, baseHead: event.head };
    case "project.vanished":
    case "project.reappeared":
    case "project.base-followed":
    case "project.base-rewritten":
    case "project.base-committed":
    case "project.base-accepted":
      return evolveRepository(state, event, at);
    case "collision.found":
      return { ...state, collisions: addCollision(state.collisions, event, at) };
    case "collision.gone":
      return { ...state, collisions: removeCollision(state.collisions, event) };
    case "check.flaked":
      return { ...state, flakes: addFlake(state.flakes ?? {}, event, at) };
    case "project.completed":
      return { ...state, completedAt: at };
    default:
      return evolveParts(state, event, at);
  }
}

type Learned = Pick<
  ProjectState,
  "collisions" | "train" | "commitChecks" | "main" | "flakes" | "ownBase" | "baseWarning"
>;

/** What was learned of a project and holds also when it is registered anew; that its folder was gone does not. */
function learnedOf(state: ProjectState | undefined): Learned {
  if (state === undefined) return {};
  const { collisions, train, commitChecks, main, flakes, ownBase, baseWarning } = state;
  return {
    ...(collisions === undefined ? {} : { collisions }),
    ...(train === undefined ? {} : { train }),
    ...(commitChecks === undefined ? {} : { commitChecks }),
    ...(main === undefined ? {} : { main }),
    ...(flakes === undefined ? {} : { flakes }),
    ...(ownBase === undefined ? {} : { ownBase }),
    ...(baseWarning === undefined ? {} : { baseWarning }),
  };
}

type PartEvent = TrainEvent | CommitCheckEvent | MainEvent | IntentEvent;

function evolveParts(state: ProjectState, event: PartEvent, at: number): ProjectState {
  switch (event.type) {
    case "train.formed":
    case "train.built":
    case "train.released":
    case "train.ended":
    case "train.paused":
    case "train.resumed":
    case "train.reordered":
      return evolveTrain(state, event, at);
    case "commit.check-requested":
    case "commit.check-started":
    case "commit.check-finished":
      return evolveCommitCheck(state, event, at);
    case "main.watched":
    case "main.passed":
    case "main.broke":
    case "main.blamed":
    case "main.reverted":
    case "main.revert-failed":
    case "main.returned":
      return evolveMain(state, event, at);
    case "intent.recorded":
    case "intent.started":
    case "intent.finished":
    case "intent.withdrawn":
      return state;
  }
}
