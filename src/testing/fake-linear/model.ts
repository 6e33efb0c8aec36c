export interface User {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
}

export interface WorkflowState {
  readonly id: string;
  readonly name: string;
  readonly type: "triage" | "backlog" | "unstarted" | "started" | "completed" | "canceled" | "duplicate";
  readonly position: number;
}

export interface Label {
  readonly id: string;
  readonly name: string;
  /** Null: a workspace label. */
  readonly team: Team | null;
}

export interface Team {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly states: WorkflowState[];
  lastNumber: number;
}

export interface Comment {
  readonly id: string;
  body: string;
  readonly user: User;
  readonly issue: Issue;
}

export interface Relation {
  readonly id: string;
  readonly type: string;
  readonly issue: Issue;
  readonly relatedIssue: Issue;
}

export interface Issue {
  readonly id: string;
  readonly number: number;
  readonly team: Team;
  title: string;
  description: string | null;
  state: WorkflowState;
  labels: Label[];
  /** 0: none, 1: urgent, 2: high, 3: medium, 4: low. */
  priority: number;
  assignee: User | null;
  isArchived: boolean;
  readonly comments: Comment[];
  /** Fields that replace these in answers. */
  malformed: Readonly<Record<string, unknown>>;
}

/** Everything this Linear knows. */
export interface World {
  readonly teams: Team[];
  readonly users: User[];
  readonly labels: Label[];
  readonly issues: Issue[];
  readonly relations: Relation[];
  /** The user of each key; null: revoked. */
  readonly tokens: Map<string, User | null>;
  nextId(): string;
}

const STATES: readonly Omit<WorkflowState, "id">[] = [
  { name: "Backlog", type: "backlog", position: 0 },
  { name: "Todo", type: "unstarted", position: 1 },
  { name: "In Progress", type: "started", position: 2 },
  { name: "In Review", type: "started", position: 3 },
  { name: "Done", type: "completed", position: 4 },
  { name: "Canceled", type: "canceled", position: 5 },
];

export function createWorld(): World {
  let last = 0;
  const nextId = (): string => {
    last += 1;
    return `00000000-0000-4000-8000-${String(last).padStart(12, "0")}`;
  };
  return { teams: [], users: [], labels: [], issues: [], relations: [], tokens: new Map(), nextId };
}

/** A team with the default states of a new Linear team. */
export function addTeam(world: World, key: string): Team {
  const states = STATES.map((state) => ({ ...state, id: world.nextId() }));
  const team = { id: world.nextId(), key, name: `Team ${key}`, states, lastNumber: 0 };
  world.teams.push(team);
  return team;
}

export function addUser(world: World, displayName: string): User {
  const known = world.users.find((user) => user.displayName === displayName);
  if (known !== undefined) return known;
  const name = `${displayName.slice(0, 1).toUpperCase()}${displayName.slice(1)} Example`;
  const user = { id: world.nextId(), name, displayName, email: `${displayName}@example.com` };
  world.users.push(user);
  return user;
}

/** A label that the team can use, created if there is none with that name; Linear's names are case-insensitive. */
export function ensureLabel(world: World, team: Team, name: string): Label {
  const known = world.labels.find(
    (label) => label.name.toLowerCase() === name.toLowerCase() && (label.team === null || label.team === team),
  );
  if (known !== undefined) return known;
  const label = { id: world.nextId(), name, team };
  world.labels.push(label);
  return label;
}

export function addIssue(world: World, team: Team, title: string): Issue {
  team.lastNumber += 1;
  const state = team.states[0];
  if (state === undefined) throw new Error("a team has states");
  const issue: Issue = {
    id: world.nextId(),
    number: team.lastNumber,
    team,
    title,
    description: null,
    state,
    labels: [],
    priority: 0,
    assignee: null,
    isArchived: false,
    comments: [],
    malformed: {},
  };
  world.issues.push(issue);
  return issue;
}

export function identifierOf(issue: Issue): string {
  return `${issue.team.key}-${issue.number}`;
}
