import type { ProjectState } from "../project/state.ts";
import type { MainEvent } from "./events.ts";
import { type BrokenMain, type MainState, UNWATCHED } from "./state.ts";

/** Applies an event of the main guard to its project. */
export function evolveMain(state: ProjectState, event: MainEvent, at: number): ProjectState {
  return { ...state, main: apply(state.main ?? UNWATCHED, event, at) };
}

function apply(main: MainState, event: MainEvent, at: number): MainState {
  switch (event.type) {
    case "main.watched":
      return { ...main, watched: event.commit };
    case "main.passed":
      // A task that still has to return to its agent is not forgotten because the base is green again.
      return { ...main, green: event.commit, broken: isOwed(main.broken) ? main.broken : null };
    case "main.broke": {
      const { commit, check } = event;
      const nothing = { culprit: null, revert: null, failure: null, isReturned: false };
      return { ...main, broken: { check, commit, ...nothing, at } };
    }
    case "main.blamed":
      return withBroken(main, { culprit: { key: event.key, commit: event.commit } });
    case "main.reverted":
      return withBroken(main, { revert: event.commit });
    case "main.revert-failed":
      return withBroken(main, { failure: event.reason });
    case "main.returned":
      return withBroken(main, { isReturned: true });
  }
}

/** Does a task still have to return to its agent, after its merge was reverted? */
export function isOwed(broken: BrokenMain | null): boolean {
  return broken !== null && broken.revert !== null && !broken.isReturned;
}

function withBroken(main: MainState, facts: Partial<BrokenMain>): MainState {
  return main.broken === null ? main : { ...main, broken: { ...main.broken, ...facts } };
}
