import { useMutation, useQuery } from "@tanstack/react-query";
import { useProject } from "../lib/url-state.ts";
import { call } from "./call.ts";
import { type PausePlan, planPause } from "./pause-plan.ts";
import { pausesQuery } from "./queries.ts";

export interface Pause extends Pick<PausePlan, "isPaused" | "label"> {
  readonly isSaving: boolean;
  readonly error: Error | null;
  toggle(): void;
}

/** Pauses and resumes the chosen project, or everything. The stream confirms it. */
export function usePause(): Pause {
  const project = useProject();
  const plan = planPause(useQuery(pausesQuery()).data, project);
  const { mutate, isPending, error } = useMutation({ mutationFn: runPlan });
  const { isPaused, label } = plan;
  return { isPaused, label, isSaving: isPending, error, toggle: () => mutate(plan) };
}

/** One after the other, so that the button shows the truth if one fails. */
async function runPlan({ isPaused, targets }: PausePlan): Promise<void> {
  for (const project of targets) {
    const input = project === null ? {} : { project };
    await call(isPaused ? "POST /api/resume" : "POST /api/pause", { input });
  }
}
