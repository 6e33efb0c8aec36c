import { expect, it } from "vitest";
import { aGithubScmScene } from "../../../testing/fake-github/scm-scene.ts";
import { githubScm } from "./github.ts";

it("tells `ao doctor` what the base requires, and which settings would keep ao from merging", async () => {
  const scene = await aGithubScmScene(githubScm);
  const { there, github, project, scm } = scene;
  const access = { state: "ok", text: "octo/demo, token of GITHUB_TOKEN", fix: null };
  expect(await scm.examine?.(project, { strategy: "squash" })).toEqual([access]);

  there.protect("main", { approvals: 1, checks: ["build", "lint"] });
  there.record.allowed.squash = false;
  expect(await scm.examine?.(project, { strategy: "squash" })).toEqual([
    access,
    {
      state: "warn",
      text: "the repository does not allow merges by squash",
      fix: expect.stringContaining("strategy to merge or rebase"),
    },
    { state: "ok", text: "main requires 1 approval and checks build, lint", fix: null },
  ]);

  github.revoke(github.token);
  expect(await scm.examine?.(project, { strategy: "squash" })).toMatchObject([
    { state: "fail", text: expect.stringContaining("refused the token (401)") },
  ]);
});
