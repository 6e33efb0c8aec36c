import { onTestFinished } from "vitest";
import type { ForgeOthers, ForgeQueue, ForgeReviewers } from "../contracts/scm-scene.ts";
import { aRemoteScmScene, createWith, type RemoteScmScene, type ScmPlugin } from "../fake-forge/scm-scene.ts";
import { tempDir } from "../temp.ts";
import type { FakeApp } from "./apps.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import type { FakeRepository } from "./scripts.ts";

export interface GithubScmScene extends RemoteScmScene {
  readonly github: FakeGithub;
  readonly there: FakeRepository;
}

/**
 * A local repository with pull requests on a fake GitHub; commits to `main` are made there. `settings` are the plugin's
 * own; `isApp`: it acts as a GitHub App.
 */
export async function aGithubScmScene<C>(
  plugin: ScmPlugin<C>,
  settings: object = {},
  isApp = false,
): Promise<GithubScmScene> {
  const github = await startFakeGithub({ folder: tempDir() });
  onTestFinished(() => github.close());
  const there = github.createRepository("octo/demo");
  const scene = await aRemoteScmScene({
    url: there.cloneUrl.replace("://", `://x-access-token:${github.token}@`),
    env: isApp ? appVariables(github.createApp("ao-writer")) : { GITHUB_TOKEN: github.token },
    create: createWith(plugin, { repo: "octo/demo", baseUrl: github.url, ...settings }),
  });
  const others: ForgeOthers = {
    push: scene.pushAsPerson,
    open: async ({ branch, ...fields }) => (await there.openPull({ ...fields, head: branch })).number,
    close: there.closePull,
    merge: there.merge,
    openFromFork: async ({ title, branch, commit }) => {
      github.addOutsider("bob");
      const from = github.createRepository("bob/demo", { forkOf: there });
      const url = from.cloneUrl.replace("://", `://x-access-token:${github.createToken("bob")}@`);
      await scene.pushAsPerson(branch, commit, url);
      return (await there.openPull({ title, head: branch, from, by: "bob" })).number;
    },
    allowEdits: (number, isAllowed) => {
      there.pull(number).maintainersMayEdit = isAllowed;
    },
  };
  const commentsOn = (number: number): readonly string[] => there.pull(number).comments.map(({ body }) => body);
  const makeDraft = (number: number): void => {
    there.pull(number).isDraft = true;
  };
  const reviewers: ForgeReviewers = {
    requestChanges: (number, by) => there.review(number, { by, state: "CHANGES_REQUESTED", body: "Why?" }),
    asked: (number) => there.pull(number).reviewers.map(({ login }) => login),
  };
  const queue: ForgeQueue = {
    require: () => there.setRules("main", [{ type: "merge_queue" }]),
    mergeNext: () => there.queue.mergeNext(),
    fail: (number, { name, log }) => there.queue.fail(number, { name, log }),
  };
  return { ...scene, github, there, others, commentsOn, makeDraft, queue, reviewers };
}

function appVariables({ id, privateKey }: FakeApp): Readonly<Record<string, string>> {
  return { GITHUB_TOKEN: "", GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: privateKey };
}
