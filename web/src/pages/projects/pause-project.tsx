import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import { call } from "../../data/call.ts";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/failure-notice.tsx";

/** Pauses a project, or resumes it. */
export function PauseProject({ project }: { readonly project: Pick<ProjectView, "id" | "paused"> }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation<unknown>({
    mutationFn: () => call(project.paused ? "POST /api/resume" : "POST /api/pause", { input: { project: project.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["projects"] }),
  });
  return (
    <>
      {error === null ? null : <Failure error={error} />}
      <Button disabled={isPending} onClick={() => mutate()}>
        {project.paused ? "Resume" : "Pause"} {project.id}
      </Button>
    </>
  );
}
