import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { Host } from "../ports/host.ts";
import type { CreateWorkspace, Workspace, WorkspaceInfo, WorkspaceRef } from "../ports/workspace.ts";
import { git, makeRepo, writeFiles } from "./git-repo.ts";
import { tempDir } from "./temp.ts";

/** How a contract acts on a repository and its workspaces, bypassing the adapter. */
export interface RepositoryTools {
  /** The commit of a branch or other ref; null: no such ref. */
  commitOf(ref: string): string | null;
  /** Adds a commit to a branch of the repository that is not checked out, or to the default branch; returns its id. */
  commitTo(branch: string, files: Readonly<Record<string, string>>): string;
  /** Merges a branch into the default branch. */
  merge(branch: string): void;
  /** The names of the files in a commit. */
  filesOf(ref: string): readonly string[];
  /** The refs with this prefix. */
  refs(prefix: string): readonly string[];
  /** The branch checked out in a folder. */
  branchAt(path: string): string;
  /** The uncommitted files of a folder, by name. */
  uncommitted(path: string): Promise<readonly string[]>;
  /** Commits everything in a folder. */
  commitAll(path: string, message: string): Promise<void>;
  write(path: string, files: Readonly<Record<string, string>>): Promise<void>;
  read(file: string): Promise<string | null>;
  exists(path: string): Promise<boolean>;
  remove(path: string): Promise<void>;
}

/** One adapter on one fresh repository. */
export interface WorkspaceFixture {
  readonly workspace: Workspace;
  readonly repo: string;
  readonly tools: RepositoryTools;
  request(sessionId: string, changes?: Partial<CreateWorkspace>): CreateWorkspace;
  refOf(info: WorkspaceInfo, request: CreateWorkspace): WorkspaceRef;
}

/** A fixture whose repository has these files. */
export function openWorkspaceFixture(
  create: (host: Host) => Workspace,
  files?: Readonly<Record<string, string>>,
  folder = "repo",
): WorkspaceFixture {
  const repo = makeRepo(join(tempDir(), folder), files);
  return {
    workspace: create(createNodeHost({ log: createSilentLog() })),
    repo,
    tools: createGitTools(repo),
    ...requestsFor(repo),
  };
}

/** Requests to an adapter about one repository. */
export function requestsFor(repo: string): Pick<WorkspaceFixture, "request" | "refOf"> {
  const project = { id: "p", path: repo, defaultBranch: "main" };
  return {
    request: (sessionId, changes) => ({
      project,
      sessionId,
      name: sessionId,
      branch: `agent/${sessionId}`,
      generation: 1,
      restore: false,
      intentId: `intent-${sessionId}`,
      attempt: 1,
      ...changes,
    }),
    refOf: (info, request) => ({
      project: request.project,
      sessionId: request.sessionId,
      path: info.path,
      branch: info.branch,
      generation: request.generation,
    }),
  };
}

function createGitTools(repo: string): RepositoryTools {
  const lines = (...args: readonly string[]): readonly string[] =>
    git(repo, ...args)
      .split("\n")
      .filter(Boolean);
  return {
    commitOf: (ref) => lines("for-each-ref", "--format=%(objectname)", ref, `refs/heads/${ref}`)[0] ?? null,
    commitTo: (branch, files) => {
      git(repo, "switch", "-q", ...(lines("branch", "--list", branch).length === 0 ? ["-c"] : []), branch);
      writeFiles(repo, files);
      git(repo, "add", "-A");
      git(repo, "commit", "-q", "--allow-empty", "-m", `change ${branch}`);
      git(repo, "switch", "-q", "main");
      return git(repo, "rev-parse", branch).trim();
    },
    merge: (branch) => void git(repo, "merge", "-q", "--no-ff", "-m", "merge", branch),
    filesOf: (ref) => lines("ls-tree", "--name-only", ref),
    refs: (prefix) => lines("for-each-ref", "--format=%(refname)", prefix),
    branchAt: (path) => git(path, "symbolic-ref", "--short", "HEAD").trim(),
    uncommitted: async (path) =>
      git(path, "status", "--porcelain", "-uall")
        .split("\n")
        .filter(Boolean)
        .map((line) => line.slice(3)),
    commitAll: async (path, message) => {
      git(path, "add", "-A");
      git(path, "commit", "-q", "-m", message);
    },
    write: async (path, files) => writeFiles(path, files),
    read: async (file) => (existsSync(file) ? readFileSync(file, "utf8") : null),
    exists: async (path) => existsSync(path),
    remove: async (path) => rmSync(path, { recursive: true }),
  };
}

/** One fact of a contract, tested on its own fixture. */
export type Fact = (name: string, run: (fixture: WorkspaceFixture) => Promise<void>) => void;
