import { type DocumentNode, execute, type GraphQLError, parse, validate } from "graphql";
import { githubSchema } from "../../github-schema.ts";
import { type Call, HttpProblem } from "../rest/context.ts";
import type { World } from "../world.ts";
import { costOf, MAX_NODES } from "./cost.ts";
import { createRoot } from "./root.ts";

/** Runs a query against the world; rejects one that GitHub's schema does not allow, as GitHub does. */
export async function executeGraphql(world: World, call: Call, charge: (points: number) => void): Promise<unknown> {
  const { query, variables } = await readQuery(call);
  const { document, problems } = understand(query);
  const { points, nodes } = costOf(document);
  if (nodes > MAX_NODES) return { errors: [tooMany(nodes)] };
  charge(points);
  if (problems.length > 0) return { errors: problems.map(presentError) };
  const result = await execute({
    schema: githubSchema(),
    document,
    rootValue: createRoot(world, call.get("token")),
    contextValue: call.get("token"),
    variableValues: variables,
  });
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(presentError) };
}

interface Understood {
  readonly document: DocumentNode;
  readonly problems: readonly GraphQLError[];
}

const understood = new Map<string, Understood>();
const MAX_UNDERSTOOD = 100;

/** Validating against the whole schema takes longer than the answer, and polls repeat the same query. */
function understand(query: string): Understood {
  const known = understood.get(query);
  if (known !== undefined) return known;
  const document = parse(query);
  const made = { document, problems: validate(githubSchema(), document) };
  if (understood.size >= MAX_UNDERSTOOD) understood.clear();
  understood.set(query, made);
  return made;
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
