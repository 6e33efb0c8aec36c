import { join } from "node:path";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { Host } from "../ports/host.ts";
import type { CreateWorkspace, Workspace, WorkspaceInfo, WorkspaceRef } from "../ports/workspace.ts";
import { makeRepo } from "./git-repo.ts";
import { tempDir } from "./temp.ts";

/** One adapter on one fresh repository. */
export interface WorkspaceFixture {
  readonly workspace: Workspace;
  readonly repo: string;
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
  const project = { id: "p", path: repo, defaultBranch: "main" };
  return {
    workspace: create(createNodeHost({ log: createSilentLog() })),
    repo,
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

/** One fact of a contract, tried on a fixture of its own. */
export type Fact = (name: string, run: (fixture: WorkspaceFixture) => Promise<void>) => void;
