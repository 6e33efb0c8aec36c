import { createHash } from "node:crypto";
import { hookPayload } from "./hook-payload.ts";
import type { Job, JobStatus, MergeRequest, Pipeline, Project, User } from "./model.ts";
import type { World } from "./world.ts";

/** Does a pipeline count for a merge request with this head? */
export function isAbout(pipeline: Pipeline, head: string): boolean {
  return pipeline.sha === head || pipeline.sourceSha === head;
}

/** The newest pipeline of a head; null: none. */
export function pipelineOf(project: Project, head: string): Pipeline | null {
  return project.pipelines.findLast((pipeline) => isAbout(pipeline, head)) ?? null;
}

type NewPipeline = Pick<Pipeline, "sha" | "ref" | "source" | "sourceSha">;

/** What a merge request's pipeline runs on. */
export function pipelineFor({ settings }: Project, { iid, head, sourceBranch }: MergeRequest): NewPipeline {
  if (!settings.mergedResults) return { sha: head, ref: sourceBranch, source: "push", sourceSha: null };
  const sha = createHash("sha1").update(head).digest("hex");
  return { sha, ref: `refs/merge-requests/${iid}/merge`, source: "merge_request_event", sourceSha: head };
}

/** What the pipeline of the merge train runs on: a merge that GitLab makes for it. */
export function trainPipelineFor({ iid, head }: MergeRequest): NewPipeline {
  const sha = createHash("sha1").update(`train ${head}`).digest("hex");
  return { sha, ref: `refs/merge-requests/${iid}/train`, source: "merge_request_event", sourceSha: null };
}

export function ensurePipeline(world: World, project: Project, of: NewPipeline): Pipeline {
  const known = project.pipelines.find(({ sha, source }) => sha === of.sha && source === of.source);
  if (known !== undefined) return known;
  const now = world.now();
  const made: Pipeline = { ...of, id: world.nextId(), createdAt: now, updatedAt: now };
  project.pipelines.push(made);
  return made;
}

/** The jobs of a head that count: the newest per name. */
export function jobsOf(project: Project, head: string): readonly Job[] {
  return project.jobs.filter((job) => isAbout(job.pipeline, head) && !job.isRetried);
}

/** A pipeline's status follows from its jobs. */
export function statusOfPipeline(project: Project, pipeline: Pipeline): JobStatus {
  const jobs = project.jobs.filter((job) => job.pipeline === pipeline && !job.isRetried);
  const counting = jobs.filter(({ allowFailure, status }) => !(allowFailure && status === "failed"));
  const has = (status: JobStatus): boolean => counting.some((job) => job.status === status);
  if (has("running") || has("pending")) return "running";
  if (has("failed")) return "failed";
  return has("canceled") ? "canceled" : "success";
}

export interface NewJob {
  readonly name: string;
  readonly author: User;
  readonly status?: JobStatus;
  readonly allowFailure?: boolean;
  readonly targetUrl?: string | null;
}

/** Adds a job that replaces the last one with its name. */
export function addJob(world: World, project: Project, of: NewJob & { readonly pipeline: Pipeline }): Job {
  for (const job of project.jobs) if (job.pipeline === of.pipeline && job.name === of.name) job.isRetried = true;
  const job: Job = {
    id: world.nextId(),
    name: of.name,
    pipeline: of.pipeline,
    isExternal: of.pipeline.source === "external",
    allowFailure: of.allowFailure ?? false,
    targetUrl: of.targetUrl ?? null,
    author: of.author,
    status: of.status ?? "running",
    failureReason: null,
    trace: "",
    startedAt: world.now(),
    finishedAt: of.status === undefined || of.status === "running" ? null : world.now(),
    isRetried: false,
  };
  project.jobs.push(job);
  of.pipeline.updatedAt = world.now();
  emitPipeline(world, project, of.pipeline);
  return job;
}

export function endJob(
  world: World,
  project: Project,
  end: { readonly job: Job; readonly status: JobStatus; readonly trace?: string; readonly reason?: string },
): void {
  const { job, status, trace, reason } = end;
  job.status = status;
  job.trace = trace ?? job.trace;
  job.failureReason = status === "failed" ? (reason ?? "script_failure") : null;
  job.finishedAt = world.now();
  job.pipeline.updatedAt = world.now();
  emitPipeline(world, project, job.pipeline);
}

function emitPipeline(world: World, project: Project, pipeline: Pipeline): void {
  const request = [...project.mergeRequests.values()].find(({ head }) => isAbout(pipeline, head));
  world.webhooks.emit(project, "Pipeline Hook", {
    object_kind: "pipeline",
    object_attributes: {
      id: pipeline.id,
      ref: pipeline.ref,
      sha: pipeline.sha,
      status: statusOfPipeline(project, pipeline),
    },
    merge_request: request === undefined ? null : { id: request.id, iid: request.iid, state: request.state },
    ...hookPayload(world, project, world.user("reviewer")),
    builds: project.jobs
      .filter((job) => job.pipeline === pipeline)
      .map(({ id, name, status }) => ({ id, name, status })),
  });
}
