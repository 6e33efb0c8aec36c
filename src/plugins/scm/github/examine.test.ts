import { expect, it } from "vitest";
import { aGithubScmScene } from "../../../testing/fake-github/scm-scene.ts";
import { githubScm } from "./github.ts";

it("reports to `ao doctor` what the base requires, and which settings would keep ao from merging", async () => {
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

  there.rename("renamed");
  expect(await scm.examine?.(project, { strategy: "merge" })).toMatchObject([
    { state: "warn", text: "octo/demo was renamed to octo/renamed", fix: expect.stringContaining("octo/renamed") },
    { state: "ok" },
  ]);

  github.revoke(github.token);
  expect(await scm.examine?.(project, { strategy: "squash" })).toMatchObject([
    { state: "fail", text: expect.stringContaining("refused the token (401)") },
  ]);
});

it("reports to `ao doctor` what rulesets require", async () => {
  const { there, project, scm } = await aGithubScmScene(githubScm);
  there.setRules("main", [
    { type: "merge_queue" },
    { type: "required_linear_history" },
    { type: "required_signatures" },
    { type: "pull_request", parameters: { required_approving_review_count: 2 } },
    { type: "required_status_checks", parameters: { required_status_checks: [{ context: "build" }] } },
  ]);
  const [, ...findings] = (await scm.examine?.(project, { strategy: "merge" })) ?? [];
  expect(findings).toEqual([
    { state: "ok", text: "main requires 2 approvals and check build", fix: null },
    { state: "warn", text: "main requires a linear history", fix: expect.stringContaining("squash or rebase") },
    { state: "warn", text: "main requires signed commits", fix: expect.stringContaining("sign") },
    { state: "ok", text: "main has a merge queue, and ao merges through it", fix: null },
  ]);
});

it("reports to `ao doctor` that the base branch does not exist", async () => {
  const { project, scm } = await aGithubScmScene(githubScm);
  const findings = await scm.examine?.({ ...project, defaultBranch: "trunk" }, { strategy: "squash" });
  expect(findings?.at(-1)).toMatchObject({ state: "fail", text: "GitHub has no branch trunk" });
});
