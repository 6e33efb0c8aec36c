import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import type { Http } from "../../../ports/http.ts";
import { createFakeJira } from "../../../testing/fake-jira/fake-jira.ts";
import { createFakeMachine } from "../../../testing/fakes/host.ts";
import { jira as plugin } from "./jira.ts";

const FILE = join(import.meta.dirname, "../../../../test/fixtures/jira-models.json");
const { schemas } = JSON.parse(readFileSync(FILE, "utf8")) as { readonly schemas: Readonly<Record<string, object>> };

/** The models of each call's body and answer; an empty name: none. A name with brackets is a list. */
const MODELS: Readonly<Record<string, readonly [body: string, answer: string]>> = {
  "GET /myself": ["", "UserDetails"],
  "GET /priority": ["", "Priority[]"],
  "GET /user/search": ["", "UserDetails[]"],
  "GET /project/ENG": ["", "Project"],
  "POST /search/jql": ["SearchAndReconcileRequest", "SearchAndReconcileResults"],
  "POST /issue": ["IssueUpdateDetails", "CreatedIssue"],
  "GET /issue/ENG-1": ["", "Issue"],
  "PUT /issue/ENG-1": ["IssueUpdateDetails", ""],
  "GET /issue/ENG-2": ["", "Issue"],
  "POST /issueLink": ["LinkIssueRequestJson", ""],
  "GET /issue/ENG-1/transitions": ["", "Transitions"],
  "POST /issue/ENG-1/transitions": ["IssueUpdateDetails", ""],
  "GET /issue/ENG-1/comment": ["", "PageOfComments"],
  "POST /issue/ENG-1/comment": ["Comment", "Comment"],
};

it("sends and answers what Jira's published models allow", async () => {
  const jira = createFakeJira("cloud");
  const tried = new Set<string>();
  const problems: string[] = [];
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const check = (call: string, model: string | undefined, text: string | undefined): void => {
    if (model === undefined || model === "") return;
    const [, name = "", isList] = /^(\w+)(\[\])?$/.exec(model) ?? [];
    const schema = isList === undefined ? schemas[name] : { type: "array", items: schemas[name] };
    const isValid = compiled.get(model) ?? ajv.compile(schema ?? false);
    compiled.set(model, isValid);
    if (!isValid(JSON.parse(text ?? "null"))) problems.push(`${call} ${model}: ${ajv.errorsText(isValid.errors)}`);
  };
  const http: Http = async (request) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace("/rest/api/3", "")}`;
    const response = await jira.http(request);
    const [body, answer] = MODELS[call] ?? [];
    tried.add(call);
    check(call, body, request.body);
    check(call, answer, response.body);
    return response;
  };
  const { host } = createFakeMachine({ clock: { now: Date.now, after: () => () => undefined }, env: jira.env });
  const config = plugin.config.parse({ project: "ENG", deployment: "cloud", assignee: "ao" });
  const tracker = plugin.create(config, { ...host, http }, { home: "/", projectPath: "/" });
  const issue = { title: "First", body: "Text with `code`", labels: ["bug"], dependsOn: [], priority: "high" };
  await tracker.create?.(issue);
  await tracker.create?.({ ...issue, dependsOn: ["ENG-1"] });
  await tracker.edit?.("ENG-1", { title: "Better", assignee: "ao", state: "closed" });
  await tracker.list({ state: "closed", labels: ["bug"] });
  await tracker.comment?.("ENG-1", { key: "session demo-1", text: "Done: [#1](https://forge.test/1)" });
  await tracker.examine?.();
  expect(problems).toEqual([]);
  expect(Object.keys(MODELS).filter((call) => !tried.has(call))).toEqual([]);
});
