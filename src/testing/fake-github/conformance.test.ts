import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import githubAppJwt from "universal-github-app-jwt";
import { expect, it } from "vitest";
import { aGithubScene, type GithubScene } from "./scene.ts";

interface Described {
  readonly operations: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly definitions: object;
}

const FILE = join(import.meta.dirname, "../../../test/fixtures/github-openapi.json");
const described = JSON.parse(readFileSync(FILE, "utf8")) as Described;
const REPO = "/repos/{owner}/{repo}";

type Values = Readonly<Record<string, string | number>>;

/** The calls, ordered so that each finds what it needs; later ones use the results of earlier ones. */
function callsFor(scene: GithubScene): readonly (readonly [string, unknown?])[] {
  return [
    ["GET /user"],
    ["GET /rate_limit"],
    [`GET ${REPO}`],
    [`POST ${REPO}/issues`, { title: "Second", body: "Text", labels: ["bug"], assignees: ["octo"] }],
    [`GET ${REPO}/issues`],
    [`GET ${REPO}/issues/{issue_number}`],
    [`PATCH ${REPO}/issues/{issue_number}`, { state: "closed", state_reason: "completed" }],
    [`POST ${REPO}/issues/{issue_number}/comments`, { body: "A comment" }],
    [`GET ${REPO}/issues/{issue_number}/comments`],
    [`POST ${REPO}/issues/{issue_number}/labels`, { labels: ["ui"] }],
    [`GET ${REPO}/issues/{issue_number}/labels`],
    [`POST ${REPO}/issues/{issue_number}/dependencies/blocked_by`, { issue_id: scene.repository.issue(1).id }],
    [`GET ${REPO}/issues/{issue_number}/dependencies/blocked_by`],
    [`GET ${REPO}/labels`],
    [`POST ${REPO}/pulls`, { title: "Work", head: "work", base: "main" }],
    [`GET ${REPO}/pulls`],
    [`GET ${REPO}/pulls/{pull_number}`],
    [`PATCH ${REPO}/pulls/{pull_number}`, { title: "Better" }],
    [`GET ${REPO}/pulls/{pull_number}/files`],
    [`POST ${REPO}/statuses/{sha}`, { state: "success", context: "license" }],
    [`GET ${REPO}/commits/{ref}/statuses`],
    [`GET ${REPO}/commits/{ref}/status`],
    [`POST ${REPO}/pulls/{pull_number}/reviews`, REVIEW],
    [`GET ${REPO}/pulls/{pull_number}/reviews`],
    [`GET ${REPO}/pulls/{pull_number}/comments`],
    [`GET ${REPO}/branches/{branch}/protection`],
    [`GET ${REPO}/rules/branches/{branch}`],
  ];
}

const RULES = [
  { type: "required_linear_history" },
  { type: "required_signatures" },
  { type: "pull_request", parameters: { required_approving_review_count: 0 } },
  { type: "required_status_checks", parameters: { required_status_checks: [{ context: "unit" }] } },
];
const REVIEW = { event: "COMMENT", body: "Look", comments: [{ path: "a.txt", line: 1, body: "Why?" }] };

it("answers every call as GitHub's published description specifies", async () => {
  const scene = await aGithubScene();
  scene.repository.openIssue({ title: "First" });
  scene.repository.protect("main", { approvals: 1, checks: ["unit"] });
  scene.repository.setRules("main", RULES);
  const sha = await scene.push("work", { "a.txt": "a\n" }, "main");
  const values = { owner: "octo", repo: "demo", issue_number: 2, pull_number: 3, sha, ref: sha, branch: "main" };
  const check = createCheck();
  const tried = new Set<string>();
  const attempt = async (operation: string, body: unknown, more: Values = {}, call = scene.call): Promise<void> => {
    tried.add(operation);
    const [method = "", path = ""] = operation.split(" ");
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String({ ...values, ...more }[name]));
    const answer = await call(method, url, body);
    expect(check(operation, answer), `${operation}: ${answer.status}`).toEqual([]);
  };
  for (const [operation, body] of callsFor(scene)) await attempt(operation, body);
  const { id: appId, privateKey, record } = scene.github.createApp("ao-writer");
  const asApp = scene.callAs((await githubAppJwt({ id: appId, privateKey })).token);
  await attempt(`GET ${REPO}/installation`, undefined, {}, asApp);
  const tokens = "POST /app/installations/{installation_id}/access_tokens";
  const installation_id = record.installations.get("octo") ?? 0;
  await attempt(tokens, { repositories: ["demo"] }, { installation_id }, asApp);
  const { id: comment_id } = scene.repository.issue(2).comments[0] ?? { id: 0 };
  await attempt(`PATCH ${REPO}/issues/comments/{comment_id}`, { body: "Edited" }, { comment_id });
  const thread = scene.repository.pull(3).threads[0]?.comments[0]?.id ?? 0;
  const reply = `POST ${REPO}/pulls/{pull_number}/comments/{comment_id}/replies`;
  await attempt(reply, { body: "Because" }, { comment_id: thread });
  const { id, runId } = scene.repository.checks.fail(3, { name: "lint", log: "boom" });
  scene.repository.checks.pass(3, "unit");
  await attempt(`GET ${REPO}/commits/{ref}/check-runs`, undefined);
  await attempt(`GET ${REPO}/check-runs/{check_run_id}`, undefined, { check_run_id: id });
  await attempt(`GET ${REPO}/actions/jobs/{job_id}`, undefined, { job_id: id });
  await attempt(`GET ${REPO}/actions/runs/{run_id}/jobs`, undefined, { run_id: runId });
  scene.repository.setRules("queued", [{ type: "merge_queue" }]);
  await attempt(`GET ${REPO}/rules/branches/{branch}`, undefined, { branch: "queued" });
  await scene.repository.review(3, { state: "APPROVED" });
  await attempt(`PUT ${REPO}/pulls/{pull_number}/merge`, { sha });
  expect([...tried].sort()).toEqual(Object.keys(described.operations).sort());
});

function createCheck(): (operation: string, answer: { status: number; body: unknown }) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "github", definitions: described.definitions });
  return (operation, { status, body }) => {
    const schema = described.operations[operation]?.[String(status)];
    if (schema === undefined) return [`GitHub does not answer with ${status}: ${JSON.stringify(body)}`];
    const text = JSON.stringify(schema).replaceAll('"#/definitions', '"github#/definitions');
    const validate = ajv.compile(JSON.parse(text) as object);
    validate(body);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
