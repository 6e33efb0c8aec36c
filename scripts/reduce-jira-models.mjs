// Writes the models of Jira's REST API that the Jira of our tests takes and gives as JSON Schemas to test/fixtures/jira-models.json. Atlassian
// publishes no description on npm; jira.js is generated from it, and has each model as a schema. It is no dependency: install it somewhere, and run:
// node scripts/reduce-jira-models.mjs FOLDER/node_modules/jira.js
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./lib.mjs";

const VERSION = "jira.js 6.2.0, cloud/models";
const MODELS = [
  "SearchAndReconcileRequest",
  "SearchAndReconcileResults",
  "Issue",
  "IssueUpdateDetails",
  "CreatedIssue",
  "LinkIssueRequestJson",
  "Transitions",
  "PageOfComments",
  "Comment",
  "UserDetails",
  "Priority",
  "Project",
  "ServerInformation",
];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/reduce-jira-models.mjs node_modules/jira.js");
const { z } = createRequire(join(resolve(folder), "package.json"))("zod");
const schemas = {};
for (const name of MODELS) {
  const file = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}.js`;
  const module = await import(pathToFileURL(join(resolve(folder), "dist/cloud/models", file)).href);
  const schema = z.toJSONSchema(module[`${name}Schema`], { io: "input", unrepresentable: "any" });
  schemas[name] = JSON.parse(
    JSON.stringify(schema, (key, value) => (key === "description" && typeof value === "string" ? undefined : value)),
  );
}
writeFileSync(join(root, "test/fixtures/jira-models.json"), `${JSON.stringify({ source: VERSION, schemas })}\n`);
