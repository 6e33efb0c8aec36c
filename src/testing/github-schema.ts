import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { buildSchema, type GraphQLSchema } from "graphql";

let schema: GraphQLSchema | null = null;

/** GitHub's published GraphQL schema; parsed once, because that takes half a second. */
export function githubSchema(): GraphQLSchema {
  // The package exports no file, and importing it would build the schema a second time.
  const packages = dirname(dirname(createRequire(import.meta.url).resolve("graphql")));
  const file = join(packages, "@octokit/graphql-schema/schema.graphql");
  schema ??= buildSchema(readFileSync(file, "utf8"), { assumeValid: true });
  return schema;
}
