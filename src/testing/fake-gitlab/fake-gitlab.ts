import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createFaults, type Faults } from "../fake-forge/faults.ts";
import type { SeenRequest } from "../fake-forge/server.ts";
import { createWebhooks, type Webhooks } from "../fake-forge/webhooks.ts";
import { createLimits, type Limits } from "./limits.ts";
import { createScripts, type FakeProject } from "./scripts.ts";
import { gitlabHeaders, listenAsGitlab } from "./server.ts";
import { addProject, createWorld } from "./world.ts";

export interface FakeGitlab {
  readonly url: string;
  readonly apiUrl: string;
  /** The token of the user "octo". */
  readonly token: string;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly webhooks: Webhooks;
  /** Every request so far. */
  readonly seen: readonly SeenRequest[];
  /** A new, empty project: `octo/demo`. */
  createProject(fullPath: string, options?: { readonly forkOf?: FakeProject }): FakeProject;
  createToken(username: string, scopes?: readonly string[]): string;
  revoke(token: string): void;
  /** Someone who may comment, but is not a member of any project. */
  addOutsider(username: string): void;
  close(): Promise<void>;
}

/** Starts a local GitLab whose repositories are bare git repositories in `folder`. */
export async function startFakeGitlab(options: {
  readonly folder: string;
  readonly now?: () => number;
}): Promise<FakeGitlab> {
  mkdirSync(options.folder, { recursive: true });
  const now = options.now ?? Date.now;
  const webhooks = createWebhooks(gitlabHeaders);
  const world = createWorld(options.folder, now, webhooks);
  const limits = createLimits(now);
  const faults = createFaults();
  const server = await listenAsGitlab({ world, limits, faults });
  world.url = server.url;
  const createToken = (username: string, scopes: readonly string[] = ["api"]): string => {
    const value = `glpat-fake${randomBytes(10).toString("hex")}`;
    world.tokens.set(value, { value, user: world.user(username), scopes, isRevoked: false });
    return value;
  };
  return {
    url: server.url,
    apiUrl: `${server.url}/api/v4`,
    token: createToken("octo"),
    faults,
    limits,
    webhooks,
    seen: server.seen,
    createProject: (fullPath, { forkOf } = {}) =>
      createScripts(world, addProject(world, fullPath, forkOf?.record ?? null)),
    createToken,
    revoke: (token) => {
      const known = world.tokens.get(token);
      if (known !== undefined) known.isRevoked = true;
    },
    addOutsider: (username) => void world.outsiders.add(world.user(username).id),
    close: server.close,
  };
}
