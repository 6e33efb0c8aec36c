import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../git-repo.ts";
import { aGitlabScene } from "./scene.ts";

describe("a merge request on the fake GitLab", () => {
  it("is merged by git once its project's rules are met, only at the expected commit", async () => {
    const scene = await aGitlabScene();
    const { project, call } = scene;
    await scene.push("main", { "README.md": "# demo\n" });
    await scene.push("work", { "a.txt": "a\n" }, "main");
    project.openIssue({ title: "A file is missing" });
    const wanted = { title: "Draft: Work", source_branch: "work", target_branch: "main", description: "Closes #1" };
    expect((await call("POST", "/merge_requests", wanted)).status).toBe(201);
    expect((await call("POST", "/merge_requests", wanted)).status).toBe(409);
    project.set({ pipelineMustSucceed: true, discussionsMustBeResolved: true, approvalsRequired: 1 });
    const status = async (): Promise<string> =>
      ((await call("GET", "/merge_requests/1")).body as { detailed_merge_status: string }).detailed_merge_status;
    expect(await status()).toBe("draft_status");
    await call("PUT", "/merge_requests/1", { title: "Work" });
    project.jobs.fail(1, { name: "unit", trace: "boom\n" });
    expect(await status()).toBe("ci_must_pass");
    const head = await scene.push("work", { "b.txt": "b\n" });
    await project.refresh();
    project.jobs.pass(1, "unit");
    const { id } = project.discuss(1, { body: "Why?", path: "a.txt", line: 1 });
    expect(await status()).toBe("discussions_not_resolved");
    expect((await call("PUT", `/merge_requests/1/discussions/${id}`, { resolved: true })).status).toBe(200);
    expect(await status()).toBe("not_approved");
    await project.approve(1);
    const merge = (sha: string) => call("PUT", "/merge_requests/1/merge", { sha, squash: true });
    expect((await merge("0".repeat(40))).status).toBe(409);
    const { body } = await merge(head);
    expect(body).toMatchObject({
      state: "merged",
      merge_commit_sha: git(project.record.gitDir, "rev-parse", "main").trim(),
    });
    expect(git(project.record.gitDir, "show", "main:b.txt")).toBe("b\n");
    expect((await merge(head)).status).toBe(405);
    expect(project.issue(1).state).toBe("closed");
  });
});

describe("the fake GitLab", () => {
  it("sends pages, ETags, and the rate limit in its headers", async () => {
    const { gitlab, project, call } = await aGitlabScene();
    for (let n = 1; n <= 3; n += 1) project.openIssue({ title: `Number ${n}` });
    const { headers, body } = await call("GET", "/issues?per_page=2&sort=asc");
    expect(body).toMatchObject([{ iid: 1 }, { iid: 2 }]);
    expect(headers.get("x-next-page")).toBe("2");
    expect(headers.get("x-total")).toBe("3");
    expect(headers.get("ratelimit-remaining")).toBe("1999");
    expect(headers.get("etag")).toMatch(/^W\//);
    gitlab.limits.setRemaining(gitlab.token, { remaining: 0 });
    const refused = await call("GET", "/issues");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("sends webhooks with the secret, and resends one under its old id", async () => {
    const { gitlab, project } = await aGitlabScene();
    const seen: unknown[] = [];
    const receiver = createServer((request, response) => {
      const { "x-gitlab-event": event, "x-gitlab-event-uuid": id, "x-gitlab-token": secret } = request.headers;
      seen.push({ event, id, secret });
      request.resume();
      response.end();
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    project.addHook(`http://127.0.0.1:${port}/`, { secret: "s3cret", events: ["Issue Hook"] });
    project.openIssue({ title: "First" });
    project.comment(1, "Not asked for");
    await gitlab.webhooks.idle();
    const [delivery] = gitlab.webhooks.deliveries;
    if (delivery !== undefined) await gitlab.webhooks.redeliver(delivery);
    const wanted = { event: "Issue Hook", id: delivery?.id, secret: "s3cret" };
    expect(seen).toEqual([wanted, wanted]);
  });
});
