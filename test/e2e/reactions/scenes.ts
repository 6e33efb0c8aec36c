import type { LoopFleet } from "../../support/loop.ts";

/** A script that waits for nothing. */
export function scenes(...all: readonly unknown[]): unknown {
  return { pace: 0, scenes: all };
}

/** What an agent does about the task, or about a matching message. */
export function on(kind: "task" | "message", matches: string, steps: readonly unknown[]): unknown {
  return { when: { kind, ...(matches === "" ? {} : { matches }) }, do: steps };
}

/** Writes a file and commits. */
export function commit(path: string, text: string): readonly unknown[] {
  return [{ write: { path, text } }, { commit: `Write ${path}` }, { done: "There it is." }];
}

/** Adds to a file and commits. */
export function again(path: string, text: string): readonly unknown[] {
  return [{ append: { path, text } }, { commit: `Add to ${path}` }, { done: "Another try." }];
}

/** The commits that a check found wrong, in the order of the first time. */
export function redHeads(fleet: LoopFleet): readonly string[] {
  const reds = fleet.verdicts().filter(({ verdict }) => verdict === "red");
  return [...new Set(reds.map(({ commit: head }) => head))];
}
