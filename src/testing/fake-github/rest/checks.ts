import { checkEvent, finishCheck, rerunJobs, startCheck } from "../checks.ts";
import { latestChecks, latestStatuses, resolveCommit } from "../gate.ts";
import type { CheckRun, CommitStatus, Conclusion, Job, Repository } from "../model.ts";
import { presentCheck, presentJob, presentStatus } from "../present/check.ts";
import { presentRepository, repositoryUrl } from "../present/repository.ts";
import type { World } from "../world.ts";
import {
  type Api,
  bodyOf,
  type Call,
  cutPage,
  HttpProblem,
  notFound,
  repositoryOf,
  sendPage,
  setLinks,
  textOf,
} from "./context.ts";

/** Check runs, commit statuses, and the jobs behind check runs. */
export function routeChecks(api: Api, world: World): void {
  routeCheckRuns(api, world);
  routeStatuses(api, world);
  routeJobs(api, world);
}

function routeCheckRuns(api: Api, world: World): void {
  api.get("/repos/:owner/:repo/commits/:ref/check-runs", async (call) => {
    const repository = repositoryOf(world, call);
    const commit = await commitOf(repository, call);
    const isAll = call.req.query("filter") === "all";
    const checks = isAll ? repository.checks.filter((one) => one.commit === commit) : latestChecks(repository, commit);
    setLinks(call, checks.length);
    const shown = cutPage(call, checks).map((check) => presentCheck(world, repository, check));
    return call.json({ total_count: checks.length, check_runs: shown });
  });
  api.get("/repos/:owner/:repo/check-runs/:id{[0-9]+}", (call) => {
    const repository = repositoryOf(world, call);
    const check = repository.checks.find(({ id }) => id === Number(call.req.param("id")));
    if (check === undefined) throw notFound();
    return call.json(presentCheck(world, repository, check));
  });
  api.post("/repos/:owner/:repo/check-runs", async (call) => {
    const repository = repositoryOf(world, call);
    const body = await bodyOf(call);
    const commit = textOf(body["head_sha"]) ?? "";
    const name = textOf(body["name"]) ?? "";
    const check = startCheck(world, repository, { commit, name, suiteId: suiteOfApp(world, repository, commit) });
    check.status = (textOf(body["status"]) as CheckRun["status"] | undefined) ?? "queued";
    const conclusion = textOf(body["conclusion"]) as Conclusion | undefined;
    if (conclusion !== undefined) finishCheck(world, repository, { check, conclusion });
    return call.json(presentCheck(world, repository, check), 201);
  });
}

/** An app other than GitHub Actions has one suite per commit. */
function suiteOfApp(world: World, { checks, jobs }: Repository, commit: string): number {
  const known = checks.find((check) => check.commit === commit && !jobs.some(({ id }) => id === check.id));
  return known?.suiteId ?? world.nextId();
}

function routeStatuses(api: Api, world: World): void {
  api.post("/repos/:owner/:repo/statuses/:ref", async (call) => {
    const repository = repositoryOf(world, call);
    const commit = await commitOf(repository, call);
    const body = await bodyOf(call);
    const status: CommitStatus = {
      id: world.nextId(),
      commit,
      context: textOf(body["context"]) ?? "default",
      state: textOf(body["state"]) as CommitStatus["state"],
      description: textOf(body["description"]) ?? null,
      targetUrl: textOf(body["target_url"]) ?? null,
      creator: call.get("account"),
      createdAt: world.now(),
    };
    repository.statuses.push(status);
    const { context, state, description } = status;
    const about = presentRepository(world, repository);
    world.webhooks.emit(repository, "status", { sha: commit, context, state, description, repository: about });
    return call.json(presentStatus(world, repository, status), 201);
  });
  api.get("/repos/:owner/:repo/commits/:ref/statuses", async (call) => {
    const repository = repositoryOf(world, call);
    const commit = await commitOf(repository, call);
    const statuses = repository.statuses.filter((status) => status.commit === commit).reverse();
    return sendPage(
      call,
      statuses.map((status) => presentStatus(world, repository, status)),
    );
  });
  api.get("/repos/:owner/:repo/commits/:ref/status", async (call) => {
    const repository = repositoryOf(world, call);
    const commit = await commitOf(repository, call);
    const statuses = latestStatuses(repository, commit);
    const states = statuses.map(({ state }) => state);
    const isRed = states.includes("failure") || states.includes("error");
    const state = isRed ? "failure" : states.length === 0 || states.includes("pending") ? "pending" : "success";
    const url = repositoryUrl(world, repository);
    return call.json({
      state,
      sha: commit,
      total_count: statuses.length,
      statuses: statuses.map((status) => presentStatus(world, repository, status)),
      repository: presentRepository(world, repository),
      commit_url: `${url}/commits/${commit}`,
      url: `${url}/commits/${commit}/status`,
    });
  });
}

function routeJobs(api: Api, world: World): void {
  const actions = "/repos/:owner/:repo/actions";
  api.get(`${actions}/jobs/:id{[0-9]+}`, (call) => {
    const repository = repositoryOf(world, call);
    return call.json(presentJob(world, repository, jobOf(repository, call)));
  });
  // GitHub redirects requests for a log to another host, which must not see the token.
  api.get(`${actions}/jobs/:id{[0-9]+}/logs`, (call) => {
    const job = jobOf(repositoryOf(world, call), call);
    if (job.check.status !== "completed") throw notFound();
    return call.redirect(`${world.url.replace("127.0.0.1", "localhost")}/logs/${job.id}`, 302);
  });
  api.get(`${actions}/runs/:run{[0-9]+}/jobs`, (call) => {
    const repository = repositoryOf(world, call);
    const jobs = repository.jobs.filter(({ runId }) => runId === Number(call.req.param("run")));
    const last = Math.max(...jobs.map(({ attempt }) => attempt));
    const wanted = call.req.query("filter") === "all" ? jobs : jobs.filter(({ attempt }) => attempt === last);
    return call.json({ total_count: wanted.length, jobs: wanted.map((job) => presentJob(world, repository, job)) });
  });
  api.post(`${actions}/jobs/:id{[0-9]+}/rerun`, (call) => {
    const repository = repositoryOf(world, call);
    rerun(world, repository, [jobOf(repository, call)]);
    return call.json({}, 201);
  });
  api.post(`${actions}/runs/:run{[0-9]+}/rerun-failed-jobs`, (call) => {
    const repository = repositoryOf(world, call);
    const newest = new Map(jobsOfRun(repository, Number(call.req.param("run"))).map((job) => [job.check.name, job]));
    const hasFailed = ({ check }: Job): boolean => check.conclusion === "failure" || check.conclusion === "timed_out";
    rerun(world, repository, [...newest.values()].filter(hasFailed));
    return call.json({}, 201);
  });
}

function jobsOfRun(repository: Repository, run: number): readonly Job[] {
  return repository.jobs.filter(({ runId }) => runId === run);
}

function rerun(world: World, repository: Repository, jobs: readonly Job[]): void {
  const ofRun = jobsOfRun(repository, jobs[0]?.runId ?? 0);
  if (jobs.length === 0 || ofRun.some(({ check }) => check.status !== "completed")) {
    throw new HttpProblem(403, "The workflow run containing this job is already running");
  }
  for (const job of rerunJobs(world, repository, jobs)) {
    checkEvent(world, repository, { action: "created", check: job.check });
    repository.onRerun?.(job);
  }
}

async function commitOf(repository: Repository, call: Call): Promise<string> {
  const ref = call.req.param("ref") ?? "";
  const commit = await resolveCommit(repository, ref);
  if (commit === null) throw new HttpProblem(422, `No commit found for SHA: ${ref}`);
  return commit;
}

function jobOf(repository: Repository, call: Call): Job {
  const job = repository.jobs.find(({ id }) => id === Number(call.req.param("id")));
  if (job === undefined) throw notFound();
  return job;
}
