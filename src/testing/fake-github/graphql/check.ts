import type { CheckRun, CommitStatus, Repository } from "../model.ts";
import { at, atOrNull } from "../present/account.ts";
import { repositoryPage } from "../present/repository.ts";
import type { World } from "../world.ts";
import { actorNode } from "./issue.ts";

interface Of {
  readonly check: CheckRun;
  readonly required: ReadonlySet<string>;
}

export function checkNode(world: World, repository: Repository, { check, required }: Of) {
  const page = `${repositoryPage(world, repository)}/runs/${check.id}`;
  const job = repository.jobs.find(({ id }) => id === check.id);
  const run = job === undefined ? null : { __typename: "WorkflowRun", id: `WFR_${job.runId}`, databaseId: job.runId };
  return {
    __typename: "CheckRun",
    id: `CR_${check.id}`,
    databaseId: check.id,
    name: check.name,
    status: check.status.toUpperCase(),
    conclusion: check.conclusion?.toUpperCase() ?? null,
    detailsUrl: check.detailsUrl ?? page,
    url: page,
    permalink: page,
    externalId: check.externalId,
    startedAt: at(check.startedAt),
    completedAt: atOrNull(check.completedAt),
    title: check.output.title,
    summary: check.output.summary,
    text: check.output.text,
    isRequired: required.has(check.name),
    checkSuite: { __typename: "CheckSuite", id: `CS_${check.suiteId}`, databaseId: check.suiteId, workflowRun: run },
  };
}

export function statusNode(world: World, status: CommitStatus, required: ReadonlySet<string>) {
  return {
    __typename: "StatusContext",
    id: `SC_${status.id}`,
    context: status.context,
    state: status.state.toUpperCase(),
    description: status.description,
    targetUrl: status.targetUrl,
    createdAt: at(status.createdAt),
    creator: actorNode(world, status.creator),
    isRequired: required.has(status.context),
  };
}
