import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createFaults, type Faults } from "../fake-forge/faults.ts";
import type { SeenRequest } from "../fake-forge/server.ts";
import { createWebhooks, type Webhooks } from "../fake-forge/webhooks.ts";
import { createApp, type FakeApp } from "./apps.ts";
import { githubHeaders } from "./delivery-headers.ts";
import { createLimits, type Limits } from "./limits.ts";
import { createScripts, type FakeRepository } from "./scripts.ts";
import { listenAsGithub } from "./server.ts";
import { addRepository, createWorld } from "./world.ts";

export interface FakeGithub {
  /** Its URL; REST is below `/api/v3`, GraphQL at `/api/graphql`, as on GitHub Enterprise. */
  readonly url: string;
  readonly apiUrl: string;
  /** The token of the account "octo". */
  readonly token: string;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly webhooks: Webhooks;
  /** Every request so far. */
  readonly seen: readonly SeenRequest[];
  /** A new, empty repository: `octo/demo`. */
  createRepository(fullName: string, options?: { readonly forkOf?: FakeRepository }): FakeRepository;
  createToken(login: string, scopes?: readonly string[]): string;
  /** A GitHub App that is installed in every repository. */
  createApp(slug: string, permissions?: Readonly<Record<string, string>>): FakeApp;
  revoke(token: string): void;
  /** Someone who may comment but not write, like anyone on a public repository. */
  addOutsider(login: string): void;
  close(): Promise<void>;
}

/** Starts a local GitHub whose repositories are bare git repositories in `folder`. */
export async function startFakeGithub(options: {
  readonly folder: string;
  readonly now?: () => number;
}): Promise<FakeGithub> {
  mkdirSync(options.folder, { recursive: true });
  const webhooks = createWebhooks(githubHeaders);
  const world = createWorld(options.folder, options.now ?? Date.now, webhooks);
  const limits = createLimits(world);
  const faults = createFaults();
  const server = await listenAsGithub({ world, limits, faults });
  world.url = server.url;
  const createToken = (login: string, scopes: readonly string[] = ["repo", "workflow"]): string => {
    // Random, so that a search for it finds nothing from a concurrent test.
    const value = `ghp_fake${world.nextId()}${randomBytes(14).toString("hex")}`;
    world.tokens.set(value, { value, account: world.account(login), scopes, isRevoked: false });
    return value;
  };
  return {
    url: server.url,
    apiUrl: `${server.url}/api/v3`,
    token: createToken("octo"),
    faults,
    limits,
    webhooks,
    seen: server.seen,
    createRepository: (fullName, { forkOf } = {}) =>
      createScripts(world, addRepository(world, fullName, forkOf?.record ?? null)),
    createToken,
    createApp: (slug, permissions) => createApp(world, slug, permissions),
    revoke: (token) => {
      const known = world.tokens.get(token);
      if (known !== undefined) known.isRevoked = true;
    },
    addOutsider: (login) => {
      world.accounts.set(login, { id: world.nextId(), login, type: "User", isOutsider: true });
    },
    close: server.close,
  };
}
