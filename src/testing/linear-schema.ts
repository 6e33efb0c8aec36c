import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema } from "graphql";

let schema: GraphQLSchema | null = null;

/** Linear's published schema, as far as the fake Linear answers it. */
export function linearSchema(): GraphQLSchema {
  const file = new URL("../../test/fixtures/linear.graphql", import.meta.url);
  schema ??= buildSchema(readFileSync(file, "utf8"));
  return schema;
}
