import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { Host } from "../../ports/host.ts";
import type { ChangeRequest, RemoteForge, Scm } from "../../ports/scm.ts";
import { aRequest } from "../contracts/scm-scene.ts";
import { git } from "../git-repo.ts";
import { openScmFixture, type ScmFixture } from "../scm-fixture.ts";
import { tempDir } from "../temp.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import type { FakeRepository } from "./scripts.ts";

export interface GithubScmScene extends ScmFixture {
  readonly github: FakeGithub;
  readonly there: FakeRepository;
  readonly remote: RemoteForge;
  /** A pull request for a new commit of `agent/a`. */
  open(): Promise<{ readonly number: number; readonly head: string; readonly request: ChangeRequest }>;
  /** Pushes as somebody else does, over whatever is there. */
  pushAsPerson(branch: string, commit: string): Promise<void>;
}

type Create = (config: { readonly repo: string; readonly baseUrl: string }, host: Host, home: string) => Scm;

/** A repository here and its pull requests on a fake GitHub; commits to `main` are made there. */
export async function aGithubScmScene(create: Create): Promise<GithubScmScene> {
  const github = await startFakeGithub({ folder: tempDir() });
  onTestFinished(() => github.close());
  const there = github.createRepository("octo/demo");
  const env = { ...process.env, GITHUB_TOKEN: github.token } as Record<string, string>;
  const host = { ...createNodeHost({ log: createSilentLog() }), env };
  const fixture = openScmFixture((_, home) => create({ repo: "octo/demo", baseUrl: github.url }, host, home));
  git(fixture.repo, "switch", "-q", "-c", "work-of-a-person");
  const url = there.cloneUrl.replace("://", `://x-access-token:${github.token}@`);
  // Not the synchronous `git`, which would keep the server in this process from answering.
  const pushAsPerson = async (branch: string, commit: string): Promise<void> => {
    const args = ["push", "-q", "--force", url, `${commit}:refs/heads/${branch}`];
    await promisify(execFile)("git", args, { cwd: fixture.repo });
  };
  await pushAsPerson("main", "refs/heads/main");
  const { remote } = fixture.scm;
  if (remote === undefined) throw new Error("GitHub is a forge elsewhere");
  const pullMain = async (): Promise<void> => {
    await remote.fetchBase(fixture.project);
    git(fixture.repo, "update-ref", "refs/heads/main", "refs/ao/base/main");
  };
  const scene: GithubScmScene = {
    ...fixture,
    github,
    there,
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
