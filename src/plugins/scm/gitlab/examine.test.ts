import { expect, it } from "vitest";
import { aGitlabScmScene } from "../../../testing/fake-gitlab/scm-scene.ts";
import { gitlabScm } from "./gitlab.ts";

it("reports to `ao doctor` what the project requires, and which settings would keep ao from merging", async () => {
  const { there, gitlab, project, scm } = await aGitlabScmScene(gitlabScm);
  const access = { state: "ok", text: "octo/demo, token of GITLAB_TOKEN", fix: null };
  expect(await scm.examine?.(project, { strategy: "squash" })).toEqual([access]);
  there.set({ mergeMethod: "ff", pipelineMustSucceed: true, approvalsRequired: 2 });
  expect(await scm.examine?.(project, { strategy: "merge" })).toEqual([
    access,
    {
      state: "warn",
      text: "the project does not allow merges by merge",
      fix: expect.stringContaining("strategy to squash or rebase"),
    },
    {
      state: "ok",
      text: "a merge into main requires 2 approvals (All Members), a pipeline that passed, a rebased branch",
      fix: null,
    },
  ]);
  gitlab.revoke(gitlab.token);
  expect(await scm.examine?.(project, { strategy: "squash" })).toMatchObject([
    { state: "fail", text: expect.stringContaining("refused the token (401)") },
  ]);
});
