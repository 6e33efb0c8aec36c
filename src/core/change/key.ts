import type { World } from "../world.ts";
import type { ChangeState } from "./state.ts";

/**
 * The key for a pull request that is new in the log: `<project>/<number>`. A project that moved to a forge has local pull requests with the
 * same numbers, so where that key is taken, the next is `<project>/<number>-2`. A key never changes; a number may.
 */
export function freeKey(world: World, projectId: string, number: number): string {
  const plain = `${projectId}/${number}`;
  let key = plain;
  for (let nth = 2; world.change(key) !== undefined; nth += 1) key = `${plain}-${nth}`;
  return key;
}

/** The pull requests of a project that have this number: on its forge first, then those that are only here. */
export function changesNumbered(world: World, projectId: string, number: number): readonly ChangeState[] {
  const live = [...world.changesIn(projectId)].filter((change) => change.number === number);
  const all = [...live, ...world.archive.changesNumbered(projectId, number)];
  return [...all.filter(isOnForge), ...all.filter((change) => !isOnForge(change))];
}

/** The pull request that a forge elsewhere calls by this number, as far as the log knows it. */
export function changeOnForge(world: World, projectId: string, number: number): ChangeState | undefined {
  return changesNumbered(world, projectId, number).find(isOnForge);
}

/** `#12`, by the number that it has now. */
export function nameOfChange(world: World, key: string): string {
  return `#${world.change(key)?.number ?? key.slice(key.lastIndexOf("/") + 1)}`;
}

function isOnForge({ forge }: ChangeState): boolean {
  return forge !== undefined;
}
