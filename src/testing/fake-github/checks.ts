import type { CheckRun, Conclusion, Job, Repository, Step } from "./model.ts";
import { presentCheck } from "./present/check.ts";
import { presentRepository } from "./present/repository.ts";
import { fullName, type World } from "./world.ts";

/** Starts a check run. */
export function startCheck(
  world: World,
  repository: Repository,
  { commit, name, suiteId }: { readonly commit: string; readonly name: string; readonly suiteId: number },
): CheckRun {
  const check: CheckRun = {
    id: world.nextId(),
    suiteId,
    name,
    commit,
    status: "in_progress",
    conclusion: null,
    output: { title: null, summary: null, text: null },
    detailsUrl: null,
    externalId: "",
    startedAt: world.now(),
    completedAt: null,
  };
  repository.checks.push(check);
  return check;
}

/** Ends a check run, with a webhook. */
export function finishCheck(
  world: World,
  repository: Repository,
  { check, conclusion }: { readonly check: CheckRun; readonly conclusion: Conclusion },
): void {
  check.status = "completed";
  check.conclusion = conclusion;
  check.completedAt = world.now();
  checkEvent(world, repository, { action: "completed", check });
}

/** Sends webhooks about a check run. */
export function checkEvent(
  world: World,
  repository: Repository,
  { action, check }: { readonly action: string; readonly check: CheckRun },
): void {
  world.webhooks.emit(repository, "check_run", {
    action,
    check_run: presentCheck(world, repository, check),
    repository: presentRepository(world, repository),
  });
}

export interface NewJob {
  readonly commit: string;
  readonly name: string;
  readonly runId?: number;
  readonly attempt?: number;
  /** Default: CI. */
  readonly workflow?: string;
  /** Default: pull_request. */
  readonly event?: string;
}

/** Starts a job of a workflow, and its check run. */
export function startJob(world: World, repository: Repository, fields: NewJob): Job {
  const { runId = world.nextId(), attempt = 1, workflow = "CI", event = "pull_request" } = fields;
  const suiteId = repository.jobs.find((job) => job.runId === runId)?.check.suiteId ?? world.nextId();
  const check = startCheck(world, repository, { ...fields, suiteId });
  check.detailsUrl = `${world.url}/${fullName(repository)}/actions/runs/${runId}/job/${check.id}`;
  const job: Job = { id: check.id, runId, attempt, workflow, event, check, steps: [], log: "" };
  repository.jobs.push(job);
  return job;
}

/** New attempts of jobs, like the button on GitHub. */
export function rerunJobs(world: World, repository: Repository, jobs: readonly Job[]): readonly Job[] {
  return jobs.map(({ runId, attempt, workflow, event, check: { commit, name } }) =>
    startJob(world, repository, { commit, name, runId, attempt: attempt + 1, workflow, event }),
  );
}

/** The steps of a workflow; the last one has the job's conclusion. */
export function stepsOf(name: string, conclusion: Conclusion): readonly Step[] {
  return [
    { name: "Set up job", number: 1, conclusion: "success" },
    { name: "Run actions/checkout@v4", number: 2, conclusion: "success" },
    { name: `Run ${name}`, number: 3, conclusion },
  ];
}
