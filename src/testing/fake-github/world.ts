import { join } from "node:path";
import { writeBareRepository } from "../fake-forge/git.ts";
import type { Webhooks } from "../fake-forge/webhooks.ts";
import type { Account, App, Issue, Label, Pull, Repository, Token } from "./model.ts";

/** Everything one server knows. */
export interface World {
  /** Where the server listens: `http://127.0.0.1:PORT`. */
  url: string;
  readonly folder: string;
  readonly now: () => number;
  readonly accounts: Map<string, Account>;
  readonly tokens: Map<string, Token>;
  readonly apps: Map<number, App>;
  readonly repositories: Repository[];
  readonly webhooks: Webhooks;
  nextId(): number;
  account(login: string, type?: Account["type"]): Account;
}

/** An empty server. */
export function createWorld(folder: string, now: () => number, webhooks: Webhooks): World {
  const accounts = new Map<string, Account>();
  let lastId = 1000;
  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };
  return {
    url: "",
    folder,
    now,
    accounts,
    tokens: new Map(),
    apps: new Map(),
    repositories: [],
    webhooks,
    nextId,
    account: (login, type = "User") => {
      const known = accounts.get(login);
      if (known !== undefined) return known;
      const made = { id: nextId(), login, type };
      accounts.set(login, made);
      return made;
    },
  };
}

/** An empty repository. */
export function addRepository(world: World, fullName: string, parent: Repository | null = null): Repository {
  const [owner = "", name = ""] = fullName.split("/");
  const id = world.nextId();
  const gitDir = join(world.folder, `${id}.git`);
  writeBareRepository(gitDir);
  const repository: Repository = {
    id,
    owner: world.account(owner),
    name,
    formerNames: [],
    gitDir,
    defaultBranch: "main",
    parent,
    createdAt: world.now(),
    allowed: { merge: true, squash: true, rebase: true, autoMerge: false, deleteBranchOnMerge: false },
    issues: new Map(),
    pulls: new Map(),
    moved: new Map(),
    labels: new Map(),
    checks: [],
    statuses: [],
    jobs: [],
    protections: new Map(),
    rulesets: new Map(),
    queues: new Map(),
    hooks: [],
    onRerun: null,
  };
  world.repositories.push(repository);
  return repository;
}

/** The repository with this current or former name; null: not found. */
export function findRepository(world: World, owner: string, name: string): Repository | null {
  const isName = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  const ofOwner = world.repositories.filter((one) => one.owner.login.toLowerCase() === owner.toLowerCase());
  return ofOwner.find((one) => isName(one.name)) ?? ofOwner.find((one) => one.formerNames.some(isName)) ?? null;
}

/** Tokens of Apps may be for some repositories only. */
export function mayRead({ repositories }: Token, { id }: Repository): boolean {
  return repositories === undefined || repositories.includes(id);
}

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** The label with this name; GitHub creates a missing one when it is added to an issue. */
export function ensureLabel(world: World, repository: Repository, name: string): Label {
  const key = name.toLowerCase();
  const known = repository.labels.get(key);
  if (known !== undefined) return known;
  const made: Label = { id: world.nextId(), name, color: "ededed", description: null };
  repository.labels.set(key, made);
  return made;
}

export interface NewIssueFields {
  readonly author: Account;
  readonly title: string;
  readonly body?: string | null;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
}

/** The fields that issues and pull requests have in common, under the next number. */
export function newIssue(world: World, repository: Repository, fields: NewIssueFields): Issue {
  const now = world.now();
  return {
    id: world.nextId(),
    number: repository.issues.size + repository.moved.size + 1,
    author: fields.author,
    title: fields.title,
    body: fields.body ?? null,
    state: "open",
    stateReason: null,
    labels: (fields.labels ?? []).map((name) => ensureLabel(world, repository, name)),
    assignees: (fields.assignees ?? []).map((login) => world.account(login)),
    comments: [],
    blockedBy: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  };
}

export function isPull(issue: Issue): issue is Pull {
  return "headBranch" in issue;
}

/** Closes or reopens an issue or a pull request. */
export function setState(world: World, issue: Issue, to: Pick<Issue, "state"> & Partial<Issue>): void {
  if (issue.state === to.state) return;
  issue.state = to.state;
  issue.stateReason = to.stateReason ?? (to.state === "closed" ? "completed" : "reopened");
  issue.closedAt = to.state === "closed" ? world.now() : null;
  issue.updatedAt = world.now();
}
