import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { writeBareRepository } from "../fake-forge/git.ts";
import type { Webhooks } from "../fake-forge/webhooks.ts";
import type { Discussion, Issue, Label, Note, Noteable, Position, Project, Token, User } from "./model.ts";

/** Everything one server knows. */
export interface World {
  /** Where the server listens: `http://127.0.0.1:PORT`. */
  url: string;
  readonly folder: string;
  readonly now: () => number;
  readonly users: Map<string, User>;
  /** People who are not members of any project; all others are Maintainers. */
  readonly outsiders: Set<number>;
  readonly tokens: Map<string, Token>;
  readonly projects: Project[];
  readonly webhooks: Webhooks;
  nextId(): number;
  user(username: string): User;
}

/** An empty server. */
export function createWorld(folder: string, now: () => number, webhooks: Webhooks): World {
  const users = new Map<string, User>();
  let lastId = 1000;
  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };
  const user = (username: string): User => {
    const known = users.get(username) ?? { id: nextId(), username };
    users.set(username, known);
    return known;
  };
  return { url: "", folder, now, users, outsiders: new Set(), tokens: new Map(), projects: [], webhooks, nextId, user };
}

/** An empty project: `octo/demo`, or one in a subgroup. */
export function addProject(world: World, fullPath: string, parent: Project | null = null): Project {
  const id = world.nextId();
  const gitDir = join(world.folder, `${id}.git`);
  writeBareRepository(gitDir);
  const project: Project = {
    id,
    namespace: fullPath.slice(0, fullPath.lastIndexOf("/")),
    path: fullPath.slice(fullPath.lastIndexOf("/") + 1),
    formerPaths: [],
    gitDir,
    parent,
    defaultBranch: "main",
    settings: {
      mergeMethod: "merge",
      pipelineMustSucceed: false,
      mergedResults: false,
      mergeTrains: false,
      discussionsMustBeResolved: false,
      approvalsRequired: 0,
      resetApprovalsOnPush: true,
      removeSourceBranch: false,
      isPremium: true,
    },
    issues: new Map(),
    mergeRequests: new Map(),
    labels: [],
    pipelines: [],
    jobs: [],
    protectedBranches: new Set(["main"]),
    hooks: [],
    onRetry: null,
    train: new Set(),
  };
  world.projects.push(project);
  return project;
}

export function fullPath({ namespace, path }: Pick<Project, "namespace" | "path">): string {
  return `${namespace}/${path}`;
}

/** The project with this id or current or former path; null: not found. */
export function findProject(world: World, idOrPath: string): Project | null {
  const wanted = idOrPath.toLowerCase();
  const isPath = ({ namespace }: Project, path: string): boolean => `${namespace}/${path}`.toLowerCase() === wanted;
  return (
    world.projects.find((one) => String(one.id) === idOrPath || isPath(one, one.path)) ??
    world.projects.find((one) => one.formerPaths.some((path) => isPath(one, path))) ??
    null
  );
}

/** The label with this name; GitLab creates a missing one, and is case-sensitive. */
export function ensureLabel(world: World, project: Project, name: string): Label {
  const known = project.labels.find((label) => label.name === name) ?? { id: world.nextId(), name };
  if (!project.labels.includes(known)) project.labels.push(known);
  return known;
}

export interface NewFields {
  readonly author: User;
  readonly title: string;
  readonly description?: string | null;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
}

/** The fields that issues and merge requests have in common; each kind has its own numbers. */
export function newNoteable(world: World, project: Project, fields: NewFields & { readonly iid: number }): Noteable {
  const now = world.now();
  return {
    id: world.nextId(),
    iid: fields.iid,
    author: fields.author,
    title: fields.title,
    description: fields.description ?? null,
    labels: (fields.labels ?? []).map((name) => ensureLabel(world, project, name)),
    assignees: (fields.assignees ?? []).map((username) => world.user(username)),
    discussions: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedBy: null,
  };
}

export function addIssue(world: World, project: Project, fields: NewFields): Issue {
  const common = newNoteable(world, project, { ...fields, iid: project.issues.size + 1 });
  const issue: Issue = { ...common, state: "opened", blockedBy: [], movedTo: null };
  project.issues.set(issue.iid, issue);
  return issue;
}

export function setIssueState(world: World, issue: Issue, to: { readonly isOpen: boolean; readonly by: User }): void {
  issue.state = to.isOpen ? "opened" : "closed";
  issue.closedAt = to.isOpen ? null : world.now();
  issue.closedBy = to.isOpen ? null : to.by;
  issue.updatedAt = world.now();
}

export interface NewNote {
  readonly author: User;
  readonly body: string;
  readonly isSystem?: boolean;
}

export function newNote(world: World, { author, body, isSystem = false }: NewNote): Note {
  const now = world.now();
  return { id: world.nextId(), author, body, createdAt: now, updatedAt: now, isSystem };
}

/** A comment, or the first note of a thread. */
export function addDiscussion(
  world: World,
  on: Noteable,
  first: NewNote & { readonly position?: Position | null; readonly isSingle?: boolean },
): Discussion {
  const discussion: Discussion = {
    id: randomBytes(20).toString("hex"),
    isSingle: first.isSingle ?? false,
    position: first.position ?? null,
    notes: [newNote(world, first)],
    resolvedBy: null,
  };
  on.discussions.push(discussion);
  on.updatedAt = world.now();
  return discussion;
}

/** A reply, which turns a plain comment into a thread. */
export function addReply(world: World, on: Noteable, to: NewNote & { readonly discussion: Discussion }): Note {
  const note = newNote(world, to);
  to.discussion.notes.push(note);
  to.discussion.isSingle = false;
  on.updatedAt = world.now();
  return note;
}
