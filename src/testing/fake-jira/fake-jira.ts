import { createFaults, type Faults } from "../fake-forge/faults.ts";
import { createFakeServer, type FakeServer } from "../fake-http.ts";
import { createApi } from "./api.ts";
import { addIssue, addPerson, createWorld, type Issue, statusNamed, type World } from "./model.ts";

interface NewIssue {
  readonly summary: string;
  readonly description?: unknown;
  readonly labels?: readonly string[];
  readonly priority?: string;
  readonly assignee?: string;
  /** The name of a status; default "To Do". */
  readonly status?: string;
  /** Default "ENG". */
  readonly project?: string;
}

export interface FakeJira extends FakeServer {
  /** The credentials for `ao`: a token with an email address on the cloud, a token alone on a server. */
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
  readonly faults: Faults;
  readonly world: World;
  openIssue(issue: NewIssue): Issue;
  issue(key: string): Issue;
  block(blocker: Issue, blocked: Issue): void;
  revoke(): void;
}

const TOKEN = "jira-fake-token-000000000000";

/** A Jira in memory, as Atlassian's cloud or self-hosted. */
export function createFakeJira(deployment: World["deployment"]): FakeJira {
  const world = createWorld(deployment);
  const faults = createFaults();
  const me = addPerson(world, "ao");
  const pair = Buffer.from(`${me.emailAddress}:${TOKEN}`).toString("base64");
  world.sessions.set(deployment === "cloud" ? `Basic ${pair}` : `Bearer ${TOKEN}`, me);
  const slowDown = (retryAfter: number): Response =>
    Response.json(
      { errorMessages: ["Rate limit exceeded."] },
      { status: 429, headers: { "retry-after": String(retryAfter) } },
    );
  const env = { JIRA_BASE_URL: "https://jira.test", JIRA_API_TOKEN: TOKEN };
  return {
    ...createFakeServer({ handle: createApi(world), faults, slowDown }),
    env: deployment === "cloud" ? { ...env, JIRA_EMAIL: me.emailAddress } : env,
    token: TOKEN,
    faults,
    world,
    openIssue: ({
      summary,
      description = null,
      labels = [],
      priority = "Medium",
      assignee,
      status = "To Do",
      project = "ENG",
    }) => {
      const issue = addIssue(world, project, summary);
      const person = assignee === undefined ? null : addPerson(world, assignee);
      const rest = { description, labels, priority, assignee: person, status: statusNamed(world, status) };
      return Object.assign(issue, rest);
    },
    issue: (key) => {
      const found = world.issues.find((issue) => issue.key === key);
      if (found === undefined) throw new Error(`there is no ${key}`);
      return found;
    },
    block: (source, target) => {
      world.links.push({ id: world.nextId(), type: "Blocks", source, target });
    },
    revoke: () => world.sessions.clear(),
  };
}
