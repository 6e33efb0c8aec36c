import type { World } from "../core/world.ts";
import type { FleetView } from "../protocol/views/fleet.ts";
import { costSince } from "./costs.ts";

/** What applies to all sessions, or all sessions of one project. */
export function toFleetView(
  world: World,
  options: {
    readonly project: string | null;
    readonly position: number;
    readonly now?: number;
    readonly warnings?: readonly string[];
  },
): FleetView {
  const { project, warnings = [] } = options;
  const paused = [...world.projects()].filter((one) => one.paused && !one.removed).map(({ id }) => id);
  const isPaused = world.fleet().paused || (project !== null && paused.includes(project));
  return {
    paused: isPaused,
    pausedProjects: isPaused || project !== null ? [] : paused,
    costToday: costSince(world, { project, since: options.now ?? Date.now() }),
    ...(warnings.length === 0 ? {} : { warnings }),
    position: options.position,
  };
}
