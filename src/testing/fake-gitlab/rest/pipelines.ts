import type { Job, JobStatus, Project } from "../model.ts";
import { addJob, ensurePipeline } from "../pipelines.ts";
import { presentJob, presentPipeline, presentStatus } from "../present-merge-request.ts";
import type { World } from "../world.ts";
import { type Api, bodyOf, type Call, HttpProblem, notFound, projectOf, sendPage, textOf } from "./context.ts";

/** Pipelines, jobs with their logs, and statuses of commits. */
export function routePipelines(api: Api, world: World): void {
  api.get("/projects/:id/pipelines", (call) => {
    const project = projectOf(world, call);
    const after = Date.parse(call.req.query("updated_after") ?? "") || 0;
    const sha = call.req.query("sha");
    const found = project.pipelines.filter((one) => one.updatedAt > after && (sha === undefined || one.sha === sha));
    return sendPage(
      call,
      found.reverse().map((pipeline) => presentPipeline(world, project, pipeline)),
    );
  });
  api.get("/projects/:id/pipelines/:pipeline{[0-9]+}/jobs", (call) => {
    const project = projectOf(world, call);
    const jobs = project.jobs.filter(
      (job) => String(job.pipeline.id) === call.req.param("pipeline") && !job.isRetried && !job.isExternal,
    );
    return sendPage(
      call,
      jobs.map((job) => presentJob(world, project, job)),
    );
  });
  routeJobs(api, world);
  routeStatuses(api, world);
}

function routeJobs(api: Api, world: World): void {
  const path = "/projects/:id/jobs/:job{[0-9]+}";
  const jobOf = (project: Project, call: Call): Job => {
    const job = project.jobs.find((one) => String(one.id) === call.req.param("job") && !one.isExternal);
    if (job === undefined) throw new HttpProblem(404, "404 Not found");
    return job;
  };
  api.get(path, (call) => {
    const project = projectOf(world, call);
    return call.json(presentJob(world, project, jobOf(project, call)));
  });
  api.get(`${path}/trace`, (call) => call.text(jobOf(projectOf(world, call), call).trace));
  api.post(`${path}/retry`, (call) => {
    const project = projectOf(world, call);
    const job = jobOf(project, call);
    if (job.status === "running" || job.isRetried) throw new HttpProblem(403, "403 Forbidden - Job is not retryable");
    const { pipeline, name, allowFailure } = job;
    const again = addJob(world, project, { pipeline, name, allowFailure, author: call.get("user") });
    project.onRetry?.(again);
    return call.json(presentJob(world, project, again), 201);
  });
}

function routeStatuses(api: Api, world: World): void {
  api.get("/projects/:id/repository/commits/:sha", (call) => {
    const { pipelines } = projectOf(world, call);
    const made = pipelines.find(({ sha, sourceSha }) => sha === call.req.param("sha") && sourceSha !== null);
    // Other commits are read by git.
    if (made === undefined) throw notFound("Commit");
    return call.json({ id: made.sha, parent_ids: ["0".repeat(40), made.sourceSha] });
  });
  api.get("/projects/:id/repository/commits/:sha/statuses", (call) => {
    const project = projectOf(world, call);
    const isAll = call.req.query("all") === "true";
    const jobs = project.jobs.filter((job) => job.pipeline.sha === call.req.param("sha") && (isAll || !job.isRetried));
    return sendPage(
      call,
      jobs.map((job) => presentStatus(world, project, job)),
    );
  });
  api.post("/projects/:id/statuses/:sha", async (call) => {
    const project = projectOf(world, call);
    const body = await bodyOf(call);
    const sha = call.req.param("sha") ?? "";
    const pipeline = ensurePipeline(world, project, {
      sha,
      ref: textOf(body["ref"]) ?? "",
      source: "external",
      sourceSha: null,
    });
    const job = addJob(world, project, {
      pipeline,
      name: textOf(body["name"]) ?? textOf(body["context"]) ?? "default",
      status: (textOf(body["state"]) ?? "pending") as JobStatus,
      targetUrl: textOf(body["target_url"]) ?? null,
      author: call.get("user"),
    });
    return call.json(presentStatus(world, project, job), 201);
  });
}
