import { cutPage } from "../protocol/cut-page.ts";
import type { Handlers } from "../server/handler.ts";
import type { PassedThrough } from "../server/passed-through.ts";
import { acceptConfig } from "./actions/accept-config.ts";
import { cleanup } from "./actions/cleanup.ts";
import { previewConfig, readConfig, replaceConfig } from "./actions/config-file.ts";
import { editConfig } from "./actions/edit-config.ts";
import { readEnvironment } from "./actions/environment.ts";
import { examine } from "./actions/examine.ts";
import { createIssue, editIssue, getIssue, listIssues } from "./actions/issue.ts";
import { attach, diff } from "./actions/look.ts";
import { testNotifiers } from "./actions/notify.ts";
import { AGENT_NAMES, findAgents, KEY_VARIABLES } from "./find-agents.ts";
import { projectAround } from "./find-project.ts";
import { readDependents } from "./follow-issues.ts";
import type { Kernel } from "./kernel.ts";
import { readOpenApi } from "./read-open-api.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** The calls that the server passes through. */
export function createHandlers(kernel: Kernel, webhooks: Webhooks): Handlers<PassedThrough> {
  return {
    "GET /api/sessions/:id/diff": async ({ params: { id } }) => {
      await kernel.engine.refresh(id);
      return { diff: await diff(kernel, id) };
    },
    "GET /api/sessions/:id/attach": ({ params }) => attach(kernel, params.id),
    "GET /api/projects/here": async ({ query }) => {
      const { project, repository } = await projectAround(kernel, query.cwd);
      return { projectId: project?.id ?? null, repository };
    },
    "GET /api/projects/:id/issues": async ({ params, query: { state = "open", label, assignee, ...paging } }) => {
      const labels = label === undefined ? [] : [label];
      const issues = await listIssues(kernel, params.id, {
        state: state === "all" ? undefined : state,
        labels,
        assignee,
      });
      return { ...issues, ...cutPage(issues.data, paging, ({ id }) => id) };
    },
    "POST /api/projects/:id/issues": async ({ params, body }) => {
      const issue = await createIssue(kernel, params.id, body);
      await readDependents(kernel, params.id);
      return issue;
    },
    "GET /api/projects/:id/issues/:issue": ({ params }) => getIssue(kernel, params.id, params.issue),
    "PATCH /api/projects/:id/issues/:issue": async ({ params, body }) => {
      const issue = await editIssue(kernel, params.id, params.issue, body);
      await readDependents(kernel, params.id);
      return issue;
    },
    "GET /api/openapi.json": readOpenApi,
    "GET /api/agents": async ({ query }) => ({
      found: await findAgents(kernel.host, query.path ?? kernel.host.env["PATH"]),
      known: AGENT_NAMES,
      variables: KEY_VARIABLES,
    }),
    "GET /api/machine-config": async () => ({
      file: await kernel.configs.machineFile(kernel.engine.loop.world.view.projects()),
    }),
    "GET /api/config": async ({ query, setVersion }) => {
      const view = await readConfig(kernel, query.project);
      setVersion(view.version);
      return view;
    },
    "POST /api/config/preview": ({ body }) => previewConfig(kernel, body),
    "POST /api/config/edit": async ({ body }) => ({ text: await editConfig(kernel, body) }),
    "PUT /api/config": async ({ body, ifMatch = "", setVersion }) => {
      const view = await replaceConfig(kernel, body, ifMatch);
      setVersion(view.version);
      return view;
    },
    "POST /api/config/accept": ({ body }) => acceptConfig(kernel, body),
    "GET /api/doctor": async ({ query }) => ({
      data: [...(await examine(kernel, query.path)), ...webhooks.examine()],
    }),
    "GET /api/sessions/:id/environment": ({ params }) => readEnvironment(kernel, params.id),
    "GET /api/webhooks": () => ({ data: webhooks.list() }),
    "POST /api/webhooks/:scm": ({ params, raw }) => webhooks.receive(params.scm, raw),
    "POST /api/notify/test": async ({ body }) => ({ data: await testNotifiers(kernel, body.notifier ?? null) }),
    "POST /api/cleanup": ({ body: { dryRun, preserved = false } }) => cleanup(kernel, { dryRun, preserved }),
  };
}
