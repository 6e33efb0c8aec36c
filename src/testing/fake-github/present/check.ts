import type { CheckRun, CommitStatus, Job, Repository } from "../model.ts";
import type { World } from "../world.ts";
import { at, atOrNull, presentAccount } from "./account.ts";
import { repositoryPage, repositoryUrl } from "./repository.ts";

/** The app that reports check runs; GitHub's own is "GitHub Actions". */
function presentApp(world: World) {
  return {
    id: 15368,
    slug: "github-actions",
    node_id: "A_15368",
    owner: presentAccount(world, world.account("github", "Organization")),
    name: "GitHub Actions",
    description: "",
    external_url: world.url,
    html_url: `${world.url}/apps/github-actions`,
    created_at: "2018-07-30T09:30:17Z",
    updated_at: "2018-07-30T09:30:17Z",
    permissions: { checks: "write" },
    events: [],
  };
}

export function presentCheck(world: World, repository: Repository, check: CheckRun) {
  const url = `${repositoryUrl(world, repository)}/check-runs/${check.id}`;
  const page = `${repositoryPage(world, repository)}/runs/${check.id}`;
  return {
    id: check.id,
    node_id: `CR_${check.id}`,
    head_sha: check.commit,
    name: check.name,
    external_id: check.externalId,
    url,
    html_url: page,
    details_url: check.detailsUrl ?? page,
    status: check.status,
    conclusion: check.conclusion,
    started_at: at(check.startedAt),
    completed_at: atOrNull(check.completedAt),
    output: { ...check.output, annotations_count: 0, annotations_url: `${url}/annotations` },
    check_suite: { id: check.suiteId },
    app: presentApp(world),
    pull_requests: [],
  };
}

export function presentStatus(world: World, repository: Repository, status: CommitStatus) {
  return {
    id: status.id,
    node_id: `SC_${status.id}`,
    url: `${repositoryUrl(world, repository)}/statuses/${status.commit}`,
    avatar_url: `${world.url}/avatars/${status.creator.id}`,
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: at(status.createdAt),
    updated_at: at(status.createdAt),
    creator: presentAccount(world, status.creator),
  };
}

export function presentJob(world: World, repository: Repository, job: Job) {
  const url = repositoryUrl(world, repository);
  const page = repositoryPage(world, repository);
  const { check } = job;
  const started = at(check.startedAt);
  const completed = atOrNull(check.completedAt);
  return {
    id: job.id,
    run_id: job.runId,
    run_url: `${url}/actions/runs/${job.runId}`,
    run_attempt: job.attempt,
    node_id: `CR_${job.id}`,
    head_sha: check.commit,
    head_branch: null,
    workflow_name: job.workflow,
    name: check.name,
    url: `${url}/actions/jobs/${job.id}`,
    html_url: `${page}/actions/runs/${job.runId}/job/${job.id}`,
    check_run_url: `${url}/check-runs/${check.id}`,
    status: check.status,
    conclusion: check.conclusion,
    created_at: started,
    started_at: started,
    completed_at: completed,
    steps: job.steps.map((step) => ({
      name: step.name,
      number: step.number,
      status: step.conclusion === null ? "in_progress" : "completed",
      conclusion: step.conclusion,
      started_at: started,
      completed_at: completed,
    })),
    labels: ["ubuntu-latest"],
    runner_id: 1,
    runner_name: "runner",
    runner_group_id: 1,
    runner_group_name: "Default",
  };
}
