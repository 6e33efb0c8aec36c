import { onTestFinished } from "vitest";
import type { ForgeOthers, ForgeQueue, ForgeReviewers } from "../contracts/scm-scene.ts";
import { aRemoteScmScene, createWith, type RemoteScmScene, type ScmPlugin } from "../fake-forge/scm-scene.ts";
import { tempDir } from "../temp.ts";
import { type FakeGitlab, startFakeGitlab } from "./fake-gitlab.ts";
import type { FakeProject } from "./scripts.ts";

export interface GitlabScmScene extends RemoteScmScene {
  readonly gitlab: FakeGitlab;
  readonly there: FakeProject;
}

/**
 * A local repository with merge requests on a fake GitLab; commits to `main` are made there. `settings` are the
 * plugin's own.
 */
export async function aGitlabScmScene<C>(plugin: ScmPlugin<C>, settings: object = {}): Promise<GitlabScmScene> {
  const gitlab = await startFakeGitlab({ folder: tempDir() });
  onTestFinished(() => gitlab.close());
  const there = gitlab.createProject("octo/demo");
  const scene = await aRemoteScmScene({
    url: there.cloneUrl.replace("://", `://oauth2:${gitlab.token}@`),
    env: { GITLAB_TOKEN: gitlab.token },
    create: createWith(plugin, { repo: "octo/demo", baseUrl: gitlab.url, ...settings }),
  });
  const others: ForgeOthers = {
    push: scene.pushAsPerson,
    open: async ({ body, branch, ...fields }) =>
      (await there.openMergeRequest({ ...fields, description: body, source: branch })).iid,
    close: there.closeMergeRequest,
    merge: there.merge,
    openFromFork: async ({ title, branch, commit }) => {
      gitlab.addOutsider("bob");
      const from = gitlab.createProject("bob/demo", { forkOf: there });
      const url = from.cloneUrl.replace("://", `://oauth2:${gitlab.createToken("bob")}@`);
      await scene.pushAsPerson(branch, commit, url);
      return (await there.openMergeRequest({ title, source: branch, from, by: "bob" })).iid;
    },
    allowEdits: (number, isAllowed) => {
      there.mergeRequest(number).allowsCollaboration = isAllowed;
    },
  };
  const commentsOn = (number: number): readonly string[] =>
    there.mergeRequest(number).discussions.flatMap(({ notes }) => notes.map(({ body }) => body));
  const makeDraft = (number: number): void => {
    const request = there.mergeRequest(number);
    request.title = `Draft: ${request.title}`;
  };
  const reviewers: ForgeReviewers = {
    requestChanges: (number, by) => there.review(number, { by, requestsChanges: true, comments: [{ body: "Why?" }] }),
    asked: (number) =>
      there
        .mergeRequest(number)
        .reviewers.flatMap(({ user, state }) => (state === "unreviewed" ? [user.username] : [])),
  };
  const queue: ForgeQueue = {
    require: () => there.set({ mergedResults: true, mergeTrains: true }),
    mergeNext: async () => void (await there.merge(there.train.next())),
    fail: async (number, { name, log }) => there.train.fail(number, { name, trace: log }),
  };
  return { ...scene, sigil: "!", gitlab, there, others, commentsOn, makeDraft, queue, reviewers };
}
