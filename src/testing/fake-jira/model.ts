export interface Person {
  readonly accountId: string;
  /** The login name on a server. */
  readonly name: string;
  readonly displayName: string;
  readonly emailAddress: string;
}

export interface Status {
  readonly id: string;
  readonly name: string;
  readonly category: "new" | "indeterminate" | "done";
}

/** A transition to another status; without `from` from any status. */
export interface Transition {
  readonly id: string;
  readonly name: string;
  readonly from?: readonly string[];
  readonly to: string;
}

export interface Comment {
  readonly id: string;
  body: unknown;
  readonly author: Person;
}

export interface Issue {
  readonly id: string;
  readonly key: string;
  summary: string;
  /** A document on the cloud, a text on a server. */
  description: unknown;
  status: Status;
  labels: readonly string[];
  priority: string;
  assignee: Person | null;
  readonly comments: Comment[];
  /** Fields that replace these in answers. */
  malformed: Readonly<Record<string, unknown>>;
}

export interface Link {
  readonly id: string;
  readonly type: string;
  /** This issue blocks the other. */
  readonly source: Issue;
  readonly target: Issue;
}

export interface World {
  readonly deployment: "cloud" | "server";
  readonly projects: readonly string[];
  readonly people: Person[];
  readonly issues: Issue[];
  readonly links: Link[];
  readonly statuses: readonly Status[];
  transitions: readonly Transition[];
  readonly priorities: readonly string[];
  /** The person for each authorization header value. */
  readonly sessions: Map<string, Person>;
  nextId(): string;
}

const STATUSES: readonly Status[] = [
  { id: "1", name: "To Do", category: "new" },
  { id: "2", name: "In Progress", category: "indeterminate" },
  { id: "3", name: "In Review", category: "indeterminate" },
  { id: "4", name: "Done", category: "done" },
];

const TRANSITIONS: readonly Transition[] = [
  { id: "11", name: "Back to the list", to: "To Do" },
  { id: "21", name: "Start work", to: "In Progress" },
  { id: "31", name: "Ask for review", to: "In Review" },
  { id: "41", name: "Finish", to: "Done" },
];

export const LINK_TYPE = { id: "10000", name: "Blocks", inward: "is blocked by", outward: "blocks" };

export function createWorld(deployment: World["deployment"]): World {
  let last = 10_000;
  return {
    deployment,
    projects: ["ENG", "OPS"],
    people: [],
    issues: [],
    links: [],
    statuses: STATUSES,
    transitions: TRANSITIONS,
    priorities: ["Highest", "High", "Medium", "Low", "Lowest"],
    sessions: new Map(),
    nextId: () => {
      last += 1;
      return String(last);
    },
  };
}

export function addPerson(world: World, name: string): Person {
  const known = world.people.find((person) => person.name === name);
  if (known !== undefined) return known;
  const person = { accountId: `5b10${name}`, name, displayName: name, emailAddress: `${name}@example.com` };
  world.people.push(person);
  return person;
}

export function addIssue(world: World, project: string, summary: string): Issue {
  const number = world.issues.filter(({ key }) => key.startsWith(`${project}-`)).length + 1;
  const issue: Issue = {
    id: world.nextId(),
    key: `${project}-${number}`,
    summary,
    description: null,
    status: statusNamed(world, "To Do"),
    labels: [],
    priority: "Medium",
    assignee: null,
    comments: [],
    malformed: {},
  };
  world.issues.push(issue);
  return issue;
}

export function statusNamed(world: World, name: string): Status {
  const found = world.statuses.find((status) => status.name === name);
  if (found === undefined) throw new Error(`there is no status ${name}`);
  return found;
}
