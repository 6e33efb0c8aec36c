import { execute, type GraphQLError, parse, validate } from "graphql";
import { createFaults, type Faults } from "../fake-forge/faults.ts";
import { createFakeServer, type FakeServer } from "../fake-http.ts";
import { linearSchema } from "../linear-schema.ts";
import { addIssue, addTeam, addUser, createWorld, ensureLabel, type Issue, type Team, type World } from "./model.ts";
import { createRoot } from "./root.ts";

interface NewIssue {
  readonly title: string;
  readonly description?: string;
  readonly labels?: readonly string[];
  readonly priority?: number;
  readonly assignee?: string;
  /** The name of a state; default: the team's first. */
  readonly state?: string;
}

export interface FakeTeam {
  readonly record: Team;
  openIssue(issue: NewIssue): Issue;
  /** By number. */
  issue(number: number): Issue;
  /** The first issue blocks the second. */
  block(blocker: Issue, blocked: Issue): void;
}

export interface FakeLinear extends FakeServer {
  /** The key of the user "ao". */
  readonly token: string;
  readonly faults: Faults;
  readonly world: World;
  createTeam(key: string): FakeTeam;
  revoke(token: string): void;
}

/** A Linear in memory: executes GraphQL on Linear's published schema. */
export function createFakeLinear(): FakeLinear {
  const world = createWorld();
  const faults = createFaults();
  const token = "lin_api_fake0000000000000000000000000000";
  world.tokens.set(token, addUser(world, "ao"));
  const server = createFakeServer({ handle: (request) => answer(world, request), faults, slowDown });
  return {
    ...server,
    token,
    faults,
    world,
    createTeam: (key) => createScripts(world, addTeam(world, key)),
    revoke: (one) => void world.tokens.set(one, null),
  };
}

function createScripts(world: World, team: Team): FakeTeam {
  return {
    record: team,
    openIssue: ({ title, description, labels = [], priority = 0, assignee, state }) => {
      const issue = addIssue(world, team, title);
      issue.description = description ?? null;
      issue.labels = labels.map((name) => ensureLabel(world, team, name));
      issue.priority = priority;
      issue.assignee = assignee === undefined ? null : addUser(world, assignee);
      issue.state = team.states.find(({ name }) => name === state) ?? issue.state;
      return issue;
    },
    issue: (number) => {
      const found = world.issues.find((issue) => issue.team === team && issue.number === number);
      if (found === undefined) throw new Error(`there is no ${team.key}-${number}`);
      return found;
    },
    block: (issue, relatedIssue) => {
      world.relations.push({ id: world.nextId(), type: "blocks", issue, relatedIssue });
    },
  };
}

async function answer(world: World, request: Request): Promise<Response> {
  const viewer = world.tokens.get(request.headers.get("authorization") ?? "") ?? null;
  if (viewer === null) {
    const extensions = { type: "authentication error", code: "AUTHENTICATION_ERROR", statusCode: 401 };
    return Response.json({ errors: [{ message: "Authentication required", extensions }] }, { status: 401 });
  }
  const { query, variables = {} } = (await request.json()) as { query: string; variables?: Record<string, unknown> };
  const document = parse(query);
  const problems = validate(linearSchema(), document);
  const refused = (errors: readonly GraphQLError[], status: number): Response =>
    Response.json({ errors: errors.map(presentError) }, { status });
  if (problems.length > 0) return refused(problems, 400);
  const rootValue = createRoot(world, viewer);
  const { data, errors } = await execute({ schema: linearSchema(), document, rootValue, variableValues: variables });
  if (errors !== undefined && data == null) return refused(errors, 200);
  return Response.json({ data, ...(errors === undefined ? {} : { errors: errors.map(presentError) }) });
}

function presentError({ message, path, extensions }: GraphQLError): unknown {
  const known = "code" in extensions ? extensions : { type: "graphql error", code: "GRAPHQL_VALIDATION_FAILED" };
  return { message, path, extensions: known };
}

/** Linear answers an exhausted budget with status 400. */
function slowDown(retryAfter: number): Response {
  const headers = {
    "x-ratelimit-requests-limit": "5000",
    "x-ratelimit-requests-remaining": "0",
    "x-ratelimit-requests-reset": String(Date.now() + retryAfter * 1000),
  };
  const extensions = { type: "ratelimited", code: "RATELIMITED", statusCode: 429 };
  return Response.json({ errors: [{ message: "Rate limit exceeded", extensions }] }, { status: 400, headers });
}
