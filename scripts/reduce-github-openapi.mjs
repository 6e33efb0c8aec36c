// Cuts GitHub's published OpenAPI description down to the answers that the GitHub of our tests gives, and writes them as JSON Schemas to
// test/fixtures/github-openapi.json. The description (npm: @octokit/openapi, 385 MB installed) is no dependency: unpack
// generated/api.github.com.json of its package somewhere, and run: node scripts/reduce-github-openapi.mjs FILE
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib.mjs";

const VERSION = "@octokit/openapi 23.0.2, generated/api.github.com.json";
const REPO = "/repos/{owner}/{repo}";
const OPERATIONS = [
  "GET /user",
  "GET /rate_limit",
  `GET ${REPO}`,
  `GET ${REPO}/issues`,
  `POST ${REPO}/issues`,
  `GET ${REPO}/issues/{issue_number}`,
  `PATCH ${REPO}/issues/{issue_number}`,
  `GET ${REPO}/issues/{issue_number}/comments`,
  `POST ${REPO}/issues/{issue_number}/comments`,
  `PATCH ${REPO}/issues/comments/{comment_id}`,
  `GET ${REPO}/issues/{issue_number}/labels`,
  `POST ${REPO}/issues/{issue_number}/labels`,
  `GET ${REPO}/issues/{issue_number}/dependencies/blocked_by`,
  `POST ${REPO}/issues/{issue_number}/dependencies/blocked_by`,
  `GET ${REPO}/labels`,
  `GET ${REPO}/pulls`,
  `POST ${REPO}/pulls`,
  `GET ${REPO}/pulls/{pull_number}`,
  `PATCH ${REPO}/pulls/{pull_number}`,
  `PUT ${REPO}/pulls/{pull_number}/merge`,
  `GET ${REPO}/pulls/{pull_number}/files`,
  `GET ${REPO}/pulls/{pull_number}/reviews`,
  `POST ${REPO}/pulls/{pull_number}/reviews`,
  `GET ${REPO}/pulls/{pull_number}/comments`,
  `POST ${REPO}/pulls/{pull_number}/comments/{comment_id}/replies`,
  `GET ${REPO}/commits/{ref}/check-runs`,
  `GET ${REPO}/check-runs/{check_run_id}`,
  `GET ${REPO}/commits/{ref}/status`,
  `GET ${REPO}/commits/{ref}/statuses`,
  `POST ${REPO}/statuses/{sha}`,
  `GET ${REPO}/actions/jobs/{job_id}`,
  `GET ${REPO}/actions/runs/{run_id}/jobs`,
  `GET ${REPO}/branches/{branch}/protection`,
  `GET ${REPO}/rules/branches/{branch}`,
  `GET ${REPO}/installation`,
  "POST /app/installations/{installation_id}/access_tokens",
];
const DROPPED = [
  "description",
  "example",
  "examples",
  "title",
  "x-github",
  "discriminator",
  "externalDocs",
  "deprecated",
];

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node scripts/reduce-github-openapi.mjs api.github.com.json");
const description = JSON.parse(readFileSync(file, "utf8"));
const used = new Map();

/** A schema without prose, as JSON Schema: `nullable` becomes a type, references point into `definitions`. */
function convert(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => convert(item));
  if (value === null || typeof value !== "object") return value;
  if (typeof value.$ref === "string") return reference(value.$ref);
  const kept = Object.entries(value).filter(([name]) => isNames || !DROPPED.includes(name));
  const out = Object.fromEntries(kept.map(([name, item]) => [name, convert(item, !isNames && name === "properties")]));
  return isNames ? out : withNull(out);
}

function withNull({ nullable, ...schema }) {
  if (nullable !== true) return schema;
  if (schema.enum !== undefined && !schema.enum.includes(null)) schema.enum.push(null);
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  return schema.type === undefined && schema.enum === undefined ? { anyOf: [schema, { type: "null" }] } : schema;
}

function reference(ref) {
  const name = ref.split("/").at(-1);
  if (!used.has(name)) {
    used.set(name, null);
    used.set(name, convert(description.components.schemas[name]));
  }
  return { $ref: `#/definitions/${name}` };
}

function answersOf(operation) {
  const [method, path] = operation.split(" ");
  const { responses } = description.paths[path][method.toLowerCase()];
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return good.flatMap(([status, answer]) => {
    const resolved =
      answer.$ref === undefined ? answer : description.components.responses[answer.$ref.split("/").at(-1)];
    const schema = resolved.content?.["application/json"]?.schema;
    return schema === undefined ? [] : [[status, convert(schema)]];
  });
}

const operations = Object.fromEntries(OPERATIONS.map((name) => [name, Object.fromEntries(answersOf(name))]));
const definitions = Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
const out = join(root, "test/fixtures/github-openapi.json");
writeFileSync(out, `${JSON.stringify({ source: VERSION, operations, definitions })}\n`);
console.log(`${out}: ${OPERATIONS.length} operations, ${used.size} schemas`);
