import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { githubWebhook } from "../../providers/github/webhook.ts";
import { git } from "../git-repo.ts";
import { tempDir } from "../temp.ts";
import { startFakeGithub } from "./fake-github.ts";
import { aGithubScene, openWork, PULLS } from "./scene.ts";

describe("a pull request on the fake GitHub", () => {
  it("follows its branch, and git decides whether it merges", async () => {
    const scene = await aGithubScene();
    const first = await openWork(scene);
    expect((await scene.call("GET", `${PULLS}/1`)).body).toMatchObject({
      head: { sha: first },
      mergeable: true,
      mergeable_state: "clean",
      commits: 1,
      changed_files: 1,
    });
    const second = await scene.push("work", { "README.md": "# mine\n" });
    await scene.push("main", { "README.md": "# theirs\n" }, "main");
    expect((await scene.call("GET", `${PULLS}/1`)).body).toMatchObject({
      head: { sha: second },
      mergeable: false,
      mergeable_state: "dirty",
    });
  });

  it("is rejected if the branch has one, has no commits, or does not exist", async () => {
    const scene = await aGithubScene();
    await openWork(scene);
    const again = { title: "Again", head: "work", base: "main" };
    expect((await scene.call("POST", PULLS, again)).status).toBe(422);
    expect((await scene.call("POST", PULLS, { ...again, head: "main" })).status).toBe(422);
    expect((await scene.call("POST", PULLS, { ...again, head: "missing" })).status).toBe(422);
    expect(scene.repository.record.pulls.size).toBe(1);
  });

  it.each(["merge", "squash", "rebase"] as const)(
    "is merged by git with %s, only at the expected commit",
    async (method) => {
      const scene = await aGithubScene();
      scene.repository.protect("main", { approvals: 1, checks: ["unit"] });
      const head = await openWork(scene);
      const merge = (sha: string) => scene.call("PUT", `${PULLS}/1/merge`, { sha, merge_method: method });
      expect((await merge("0".repeat(40))).status).toBe(409);
      expect(await merge(head)).toMatchObject({ status: 405, body: { message: expect.stringContaining("approving") } });
      await scene.repository.review(1, { state: "APPROVED" });
      scene.repository.checks.fail(1, { name: "unit", log: "boom" });
      expect((await merge(head)).status).toBe(405);
      scene.repository.checks.pass(1, "unit");
      const { status, body } = await merge(head);
      expect(status).toBe(200);
      const { gitDir } = scene.repository.record;
      expect(git(gitDir, "rev-parse", "main").trim()).toBe((body as { sha: string }).sha);
      expect(git(gitDir, "show", "main:a.txt")).toBe("a\n");
      expect((await scene.call("GET", `${PULLS}/1`)).body).toMatchObject({ merged: true, state: "closed" });
    },
  );

  it("is closed when its branch is deleted", async () => {
    const scene = await aGithubScene();
    await openWork(scene);
    await scene.call("DELETE", "/repos/octo/demo/git/refs/heads/work");
    expect((await scene.call("GET", `${PULLS}/1`)).body).toMatchObject({ state: "closed", merged: false });
  });

  it("returns checks, reviews and threads in one query of GitHub's own schema", async () => {
    const scene = await aGithubScene();
    const head = await openWork(scene);
    scene.repository.checks.fail(1, { name: "unit", log: "boom\n", step: "npm test" });
    const status = { state: "success", context: "license" };
    expect((await scene.call("POST", `/repos/octo/demo/statuses/${head}`, status)).status).toBe(201);
    await scene.repository.review(1, {
      state: "CHANGES_REQUESTED",
      body: "Not yet",
      comments: [{ path: "a.txt", line: 1, body: "Why?" }],
    });
    const answer = await scene.graphql(`{ repository(owner: "octo", name: "demo") { pullRequest(number: 1) {
      state isDraft headRefOid mergeable mergeStateStatus reviewDecision
      reviews(last: 5) { nodes { state body author { login } commit { oid } } }
      reviewThreads(first: 5) { nodes { id isResolved path line comments(first: 5) { nodes { body author { login } } } } }
      commits(last: 1) { nodes { commit { statusCheckRollup { state contexts(first: 10) { nodes {
        __typename ... on CheckRun { name conclusion databaseId } ... on StatusContext { context state }
      } } } } } }
    } } }`);
    expect(answer).toMatchObject({
      data: {
        repository: {
          pullRequest: {
            state: "OPEN",
            headRefOid: head,
            mergeable: "MERGEABLE",
            mergeStateStatus: "UNSTABLE",
            reviews: { nodes: [{ state: "CHANGES_REQUESTED", author: { login: "reviewer" }, commit: { oid: head } }] },
            reviewThreads: { nodes: [{ isResolved: false, path: "a.txt", comments: { nodes: [{ body: "Why?" }] } }] },
            commits: { nodes: [{ commit: { statusCheckRollup: { state: "FAILURE" } } }] },
          },
        },
      },
    });
  });
});

describe("the fake GitHub", () => {
  it("serves the log of a failed job from another host, and re-runs the job", async () => {
    const scene = await aGithubScene();
    await openWork(scene);
    const job = scene.repository.checks.fail(1, { name: "unit", log: "line 1\nboom\n" });
    const path = `/repos/octo/demo/actions/jobs/${job.id}`;
    const moved = await fetch(`${scene.github.apiUrl}${path}/logs`, {
      headers: { authorization: `Bearer ${scene.github.token}` },
      redirect: "manual",
    });
    expect(moved.status).toBe(302);
    const log = await fetch(moved.headers.get("location") ?? "");
    expect(await log.text()).toBe("line 1\nboom\n");
    expect((await scene.call("POST", `/repos/octo/demo/actions/runs/${job.runId}/rerun-failed-jobs`)).status).toBe(201);
    const { body } = await scene.call("GET", `/repos/octo/demo/actions/runs/${job.runId}/jobs`);
    expect(body).toMatchObject({ jobs: [{ name: "unit", run_attempt: 2, status: "in_progress" }] });
  });

  it("signs webhooks and resends one under its old id", async () => {
    const scene = await aGithubScene();
    const seen: { id: unknown; event: unknown; isSigned: boolean }[] = [];
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const wanted = createHmac("sha256", "s3cret").update(Buffer.concat(chunks)).digest("hex");
      const { "x-github-delivery": id, "x-github-event": event, "x-hub-signature-256": signature } = request.headers;
      seen.push({ id, event, isSigned: signature === `sha256=${wanted}` });
      response.end();
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    scene.repository.addHook(`http://127.0.0.1:${port}/`, { secret: "s3cret", events: ["pull_request"] });
    await openWork(scene);
    await scene.github.webhooks.idle();
    const [delivery] = scene.github.webhooks.deliveries;
    if (delivery !== undefined) await scene.github.webhooks.redeliver(delivery);
    expect(seen).toEqual([
      { id: delivery?.id, event: "pull_request", isSigned: true },
      { id: delivery?.id, event: "pull_request", isSigned: true },
    ]);
  });

  it("names repository and pull request in its webhooks as GitHub does", async () => {
    const github = await startFakeGithub({ folder: tempDir() });
    onTestFinished(() => github.close());
    const repository = github.createRepository("octo/demo");
    repository.addHook("http://127.0.0.1:9/");
    await repository.openPull({ title: "Work", head: "work" });
    await repository.review(1, { state: "APPROVED" });
    repository.checks.fail(1, { name: "build" });
    const reports = github.webhooks.deliveries.map(({ event, body }) => {
      const headers: Readonly<Record<string, string>> = { "x-github-event": event };
      return [event, githubWebhook.parse({ header: (name) => headers[name], body: Buffer.from(body) })] as const;
    });
    const about = { repository: `${github.url}/octo/demo` };
    expect(Object.fromEntries(reports)).toMatchObject({
      pull_request: { ...about, numbers: [1] },
      pull_request_review: { ...about, numbers: [1] },
      check_run: { ...about, commits: [repository.pull(1).head] },
    });
  });

  it("rejects a push without a token", async () => {
    const scene = await aGithubScene();
    const push = promisify(execFile)("git", ["push", "-q", scene.repository.cloneUrl, "main"], {
      cwd: scene.work,
      env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    });
    await expect(push).rejects.toThrow();
  });
});
