import type { StatusRecord } from "./records.ts";

/** How a check names its job: jobs of a fork's branch run in the fork, so their ref names it. */
export function refOf({ id, forkId }: StatusRecord): string {
  return forkId === undefined ? String(id) : `${forkId}/${id}`;
}

/** The job of a ref in GitLab's API. */
export function jobPath(ref: string): string {
  const [, forkId = ":id", id = ref] = /^(\d+)\/(\d+)$/.exec(ref) ?? [];
  return `/projects/${forkId}/jobs/${id}`;
}
