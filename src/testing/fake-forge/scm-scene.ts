import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { Host } from "../../ports/host.ts";
import type { ChangeRequest, RemoteForge, Scm } from "../../ports/scm.ts";
import { aRequest } from "../contracts/scm-scene.ts";
import { git } from "../git-repo.ts";
import { openScmFixture, type ScmFixture } from "../scm-fixture.ts";

export interface RemoteScmScene extends ScmFixture {
  readonly remote: RemoteForge;
  /** A pull request for a new commit of `agent/a`. */
  open(): Promise<{ readonly number: number; readonly head: string; readonly request: ChangeRequest }>;
  /** Pushes as someone else, overwriting what is there; to another repository if its URL is given. */
  pushAsPerson(branch: string, commit: string, to?: string): Promise<void>;
}

/** The parts of an scm plugin that a scene needs. */
export interface ScmPlugin<C> {
  readonly config: { parse(written: unknown): C };
  create(config: C, host: Host, context: { readonly home: string; readonly projectPath: string }): Scm;
}

/** How a scene creates the plugin with these settings. */
export function createWith<C>(plugin: ScmPlugin<C>, written: object): Forge["create"] {
  return (host, home) => plugin.create(plugin.config.parse(written), host, { home, projectPath: "" });
}

interface Forge {
  /** The remote repository's URL, with credentials. */
  readonly url: string;
  /** The environment with the plugin's token. */
  readonly env: Readonly<Record<string, string>>;
  readonly create: (host: Host, home: string) => Scm;
}

/** A local repository with pull requests on a fake forge; commits to `main` are made there. */
export async function aRemoteScmScene({ url, env, create }: Forge): Promise<RemoteScmScene> {
  const host = { ...createNodeHost({ log: createSilentLog() }), env: { ...process.env, ...env } } as Host;
  const fixture = openScmFixture((_, home) => create(host, home));
  git(fixture.repo, "switch", "-q", "-c", "work-of-a-person");
  // Not the synchronous `git`, which would block the server in this process.
  const pushAsPerson = async (branch: string, commit: string, to = url): Promise<void> => {
    const args = ["push", "-q", "--force", to, `${commit}:refs/heads/${branch}`];
    await promisify(execFile)("git", args, { cwd: fixture.repo });
  };
  await pushAsPerson("main", "refs/heads/main");
  const { remote } = fixture.scm;
  if (remote === undefined) throw new Error("this forge is not elsewhere");
  const pullMain = async (): Promise<void> => {
    await remote.fetchBase(fixture.project);
    git(fixture.repo, "update-ref", "refs/heads/main", "refs/ao/base/main");
  };
  const scene: RemoteScmScene = {
    ...fixture,
    remote,
    pushAsPerson,
    commit: async (branch, files, options) => {
      if (branch === "main") await pullMain();
      const head = await fixture.commit(branch, files, options);
      if (branch !== "main") return head;
      await pushAsPerson("main", head);
      await pullMain();
      return head;
    },
    read: async (branch, path) => {
      if (branch === "main") await pullMain();
      return fixture.read(branch, path);
    },
    history: async (branch) => {
      if (branch === "main") await pullMain();
      return fixture.history(branch);
    },
    open: async () => {
      const head = await fixture.commit("agent/a", { "a.txt": "1\n" }, { message: "Add a" });
      const request = aRequest(scene, { branch: "agent/a", head });
      const { number } = await fixture.scm.ensureChange(request);
      return { number, head, request };
    },
  };
  return scene;
}
