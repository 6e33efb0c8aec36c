// Writes the part of Linear's GraphQL schema that the Linear of our tests answers to test/fixtures/linear.graphql. Linear publishes the
// schema as the types of its SDK (npm: @linear/sdk), which is no dependency: unpack the package somewhere, and run:
// node scripts/reduce-linear-schema.mjs FOLDER/dist/index-*.d.mts
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib.mjs";

const VERSION = "@linear/sdk 98.0.0, dist/index-D2pH4Pk9.d.mts";
const QUERIES = ["viewer", "issues", "issue", "teams", "issueLabels", "users", "comment", "workflowStates"];
const MUTATIONS = [
  "issueCreate",
  "issueUpdate",
  "issueLabelCreate",
  "issueRelationCreate",
  "issueRelationDelete",
  "commentCreate",
  "commentUpdate",
];
const KEPT = [
  ...[
    "Issue",
    "Team",
    "User",
    "ExternalUser",
    "ActorBot",
    "Comment",
    "WorkflowState",
    "IssueLabel",
    "IssueRelation",
    "PageInfo",
  ],
  ...["Issue", "Team", "User", "WorkflowState", "IssueLabel", "IssueRelation"].map((name) => `${name}Connection`),
  ...["Issue", "Comment", "IssueLabel", "IssueRelation"].map((name) => `${name}Payload`),
  ...["IssueFilter", "TeamFilter", "UserFilter", "NullableUserFilter", "WorkflowStateFilter", "IssueLabelFilter"],
  ...["IssueLabelCollectionFilter", "NullableTeamFilter"],
  ...["StringComparator", "NumberComparator", "BooleanComparator", "IdComparator", "IssueIdComparator"],
  ...["IssueCreateInput", "IssueUpdateInput", "IssueLabelCreateInput", "IssueRelationCreateInput"],
  ...["CommentCreateInput", "CommentUpdateInput", "DeletePayload", "IssueRelationType", "PaginationOrderBy"],
];
const SCALARS = ["DateTime", "JSON", "JSONObject", "TimelessDate"];
const BUILT_IN = ["ID", "String", "Boolean", "Int", "Float"];

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node scripts/reduce-linear-schema.mjs index.d.mts");
const types = readTypes(readFileSync(file, "utf8"));
const known = new Set([...KEPT, ...SCALARS, ...BUILT_IN]);
const shown = [
  ...SCALARS.map((name) => `scalar ${name}`),
  present("Query", (field) => QUERIES.includes(field)),
  present("Mutation", (field) => MUTATIONS.includes(field)),
  ...KEPT.map((name) => present(name, () => true)),
];
const header = `# Part of Linear's schema, from ${VERSION}: see scripts/reduce-linear-schema.mjs.`;
writeFileSync(join(root, "test/fixtures/linear.graphql"), `${[header, ...shown].join("\n\n")}\n`);

/** The fields of every object type and the values of every enum, by name. */
function readTypes(text) {
  const found = new Map();
  for (const [, name, body] of text.matchAll(/^type (\w+) = (?:\w+ & )*\{\n([\s\S]*?)^\};/gm)) {
    const fields = [...body.matchAll(/^ {2}(\w+)(\??): ([^;{]+);/gm)].map(([, field, , type]) => [field, type]);
    found.set(name, { fields: fields.filter(([field]) => field !== "__typename") });
  }
  for (const [, name, body] of text.matchAll(/^declare enum (\w+) \{\n([\s\S]*?)^\}/gm)) {
    found.set(name, { values: [...body.matchAll(/= "(\w+)"/g)].map(([, value]) => value) });
  }
  return found;
}

function present(name, isWanted) {
  const type = types.get(name);
  if (type === undefined) throw new Error(`the SDK has no type ${name}`);
  if (type.values !== undefined) return `enum ${name} {\n${type.values.map((value) => `  ${value}\n`).join("")}}`;
  const isInput = /(?:Input|Filter|Comparator)$/.test(name);
  const lines = type.fields.flatMap(([field, written]) => {
    const shownType = toGraphql(written);
    if (!isWanted(field) || shownType === null) return [];
    return [`  ${field}${isInput ? "" : argumentsOf(name, field)}: ${shownType}\n`];
  });
  return `${isInput ? "input" : "type"} ${name} {\n${lines.join("")}}`;
}

function argumentsOf(name, field) {
  const of = types.get(`${name}${field.slice(0, 1).toUpperCase()}${field.slice(1)}Args`)?.fields ?? [];
  const shownArguments = of.flatMap(([argument, written]) => {
    const type = toGraphql(written);
    return type === null ? [] : [`${argument}: ${type}`];
  });
  return shownArguments.length === 0 ? "" : `(${shownArguments.join(", ")})`;
}

/** `Maybe<Array<Scalars["String"]>>` is `[String!]`; null: a type that is left out. */
function toGraphql(written) {
  const optional = /^(?:Input)?Maybe<(.*)>$/.exec(written);
  if (optional !== null) return toGraphql(optional[1])?.replace(/!$/, "") ?? null;
  const list = /^Array<(.*)>$/.exec(written);
  const inner = list === null ? null : toGraphql(list[1]);
  if (list !== null) return inner === null ? null : `[${inner}]!`;
  const name = /^Scalars\["(\w+)"\]$/.exec(written)?.[1] ?? written;
  return known.has(name) ? `${name}!` : null;
}
