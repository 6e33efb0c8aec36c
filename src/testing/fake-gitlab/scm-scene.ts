import { onTestFinished } from "vitest";
import type { Host } from "../../ports/host.ts";
import type { Scm } from "../../ports/scm.ts";
import type { ForgeOthers } from "../contracts/scm-scene.ts";
import { aRemoteScmScene, type RemoteScmScene } from "../fake-forge/scm-scene.ts";
import { tempDir } from "../temp.ts";
import { type FakeGitlab, startFakeGitlab } from "./fake-gitlab.ts";
import type { FakeProject } from "./scripts.ts";

export interface GitlabScmScene extends RemoteScmScene {
  readonly gitlab: FakeGitlab;
  readonly there: FakeProject;
}

type Create = (config: { readonly repo: string; readonly baseUrl: string }, host: Host, home: string) => Scm;

/** A repository here and its merge requests on a fake GitLab; commits to `main` are made there. */
export async function aGitlabScmScene(create: Create): Promise<GitlabScmScene> {
  const gitlab = await startFakeGitlab({ folder: tempDir() });
  onTestFinished(() => gitlab.close());
  const there = gitlab.createProject("octo/demo");
  const scene = await aRemoteScmScene({
    url: there.cloneUrl.replace("://", `://oauth2:${gitlab.token}@`),
    env: { GITLAB_TOKEN: gitlab.token },
    create: (host, home) => create({ repo: "octo/demo", baseUrl: gitlab.url }, host, home),
  });
  const others: ForgeOthers = {
    push: scene.pushAsPerson,
    open: async ({ body, branch, ...fields }) =>
      (await there.openMergeRequest({ ...fields, description: body, source: branch })).iid,
    close: there.closeMergeRequest,
    merge: there.merge,
    moveToFork: (number) => {
      there.mergeRequest(number).sourceProjectId = gitlab.createProject("bob/demo").record.id;
    },
  };
  return { ...scene, sigil: "!", gitlab, there, others };
}
