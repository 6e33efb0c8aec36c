import { execute, type GraphQLError, parse, validate } from "graphql";
import { githubSchema } from "../../github-schema.ts";
import { type Call, HttpProblem } from "../rest/context.ts";
import type { World } from "../world.ts";
import { costOf, MAX_NODES } from "./cost.ts";
import { createRoot } from "./root.ts";

/** Runs a query against the world; rejects one that GitHub's schema does not allow, as GitHub does. */
export async function executeGraphql(world: World, call: Call, charge: (points: number) => void): Promise<unknown> {
  const { query, variables } = await readQuery(call);
  const document = parse(query);
  const { points, nodes } = costOf(document);
  if (nodes > MAX_NODES) return { errors: [tooMany(nodes)] };
  charge(points);
  const problems = validate(githubSchema(), document);
  if (problems.length > 0) return { errors: problems.map(presentError) };
  const result = await execute({
    schema: githubSchema(),
    document,
    rootValue: createRoot(world, call.get("token")),
    variableValues: variables,
  });
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(presentError) };
}

async function readQuery(call: Call): Promise<{ query: string; variables: Record<string, unknown> }> {
  try {
    const body = (await call.req.json()) as { query: string; variables?: Record<string, unknown> };
    return { query: body.query, variables: body.variables ?? {} };
  } catch {
    throw new HttpProblem(400, "Problems parsing JSON");
  }
}

function tooMany(nodes: number): unknown {
  const message = `This query requests up to ${nodes} possible nodes which exceeds the maximum limit of ${MAX_NODES}.`;
  return { type: "MAX_NODE_LIMIT_EXCEEDED", message };
}

/** GitHub adds the kind of an error to its message. */
function presentError(error: GraphQLError): unknown {
  const { message, path, locations, extensions } = error;
  return { ...("type" in extensions ? { type: extensions["type"] } : {}), path, locations, message };
}
