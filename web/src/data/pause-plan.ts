import type { FleetView } from "../../../src/protocol/views/fleet.ts";

export interface PausePlan {
  readonly isPaused: boolean;
  /** "Pause tern", "Resume all". */
  readonly label: string;
  /** What to pause or resume: projects, or null for everything. */
  readonly targets: readonly (string | null)[];
}

/** What the pause button does for the chosen project. A project runs only if neither it nor everything is paused. */
export function planPause(
  pauses: Pick<FleetView, "paused" | "pausedProjects"> | undefined,
  project: string | null,
): PausePlan {
  const isProjectPaused = project !== null && pauses?.pausedProjects.includes(project) === true;
  if (pauses?.paused === true) {
    return { isPaused: true, label: "Resume all", targets: isProjectPaused ? [project, null] : [null] };
  }
  const label = `${isProjectPaused ? "Resume" : "Pause"} ${project ?? "all"}`;
  return { isPaused: isProjectPaused, label, targets: [project] };
}
