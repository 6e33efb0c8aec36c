import { useMutation, useQuery } from "@tanstack/react-query";
import { useProject } from "../lib/url-state.ts";
import { call } from "./call.ts";
import { pausesQuery } from "./queries.ts";

export interface Pause {
  readonly isPaused: boolean;
  readonly isSaving: boolean;
  readonly error: Error | null;
  toggle(): void;
}

/** Pauses and resumes the chosen project, or everything. The stream confirms it. */
export function usePause(): Pause {
  const project = useProject();
  const { data } = useQuery(pausesQuery());
  const isPaused = data !== undefined && (data.paused || (project !== null && data.pausedProjects.includes(project)));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (pauses: boolean): Promise<unknown> => {
      const input = project === null ? {} : { project };
      return pauses ? call("POST /api/pause", { input }) : call("POST /api/resume", { input });
    },
  });
  return { isPaused, isSaving: isPending, error, toggle: () => mutate(!isPaused) };
}
