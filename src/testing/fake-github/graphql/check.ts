import type { CheckRun, CommitStatus, Job, Repository, Token } from "../model.ts";
import { at, atOrNull } from "../present/account.ts";
import { repositoryPage } from "../present/repository.ts";
import type { World } from "../world.ts";
import { forbidden } from "./connection.ts";
import { actorNode } from "./issue.ts";

interface Of {
  readonly check: CheckRun;
  readonly required: ReadonlySet<string>;
}

export function checkNode(world: World, repository: Repository, { check, required }: Of) {
  const page = `${repositoryPage(world, repository)}/runs/${check.id}`;
  const job = repository.jobs.find(({ id }) => id === check.id);
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
    checkSuite: {
      __typename: "CheckSuite",
      id: `CS_${check.suiteId}`,
      databaseId: check.suiteId,
      workflowRun: (_: unknown, token: Token) => (job === undefined ? null : workflowRunNode(job, token)),
    },
  };
}

function workflowRunNode({ runId, workflow, event }: Job, { permissions }: Token) {
  if (permissions !== undefined && permissions["actions"] === undefined) throw forbidden();
  const of = { __typename: "Workflow", id: `W_${workflow}`, name: workflow };
  return { __typename: "WorkflowRun", id: `WFR_${runId}`, databaseId: runId, event, workflow: of };
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
