import { describe, expect, it, onTestFinished } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { describeTrackerContract } from "../../../testing/contracts/tracker.contract.ts";
import { type FakeGithub, startFakeGithub } from "../../../testing/fake-github/fake-github.ts";
import type { FakeRepository } from "../../../testing/fake-github/scripts.ts";
import { tempDir } from "../../../testing/temp.ts";
import { github as plugin } from "./github.ts";

interface Scene {
  readonly github: FakeGithub;
  readonly repository: FakeRepository;
  readonly tracker: Tracker;
}

async function aScene(settings: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const github = await startFakeGithub({ folder: tempDir() });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  const host = createNodeHost({ log: createSilentLog(), env: { GITHUB_TOKEN: github.token } });
  const config = plugin.config.parse({ repo: "octo/demo", baseUrl: github.url, ...settings });
  return { github, repository, tracker: plugin.create(config, host, { home: "/", projectPath: "/" }) };
}

describeTrackerContract({
  name: "the tracker github",
  create: async () => {
    const { github, repository, tracker } = await aScene();
    return {
      tracker,
      countCalls: () => github.seen.length,
      commentsOf: (id) => repository.issue(Number(id)).comments.map(({ body }) => body),
      seed: async ({ title, body, labels, priority, dependsOn, state }) => {
        const all = priority === undefined ? labels : [...labels, `priority: ${priority}`];
        const issue = repository.openIssue({ title, body, labels: all });
        issue.blockedBy.push(...dependsOn.map((id) => repository.issue(Number(id))));
        if (state === "closed") repository.closeIssue(issue.number);
        return String(issue.number);
      },
      seedMalformed: async () => {
        const issue = repository.openIssue({ title: "Broken" });
        issue.malformed = { labels: null };
        return `#${issue.number}`;
      },
    };
  },
});

describe("the tracker github", () => {
  it("omits pull requests, even by number", async () => {
    const { repository, tracker } = await aScene();
    repository.openIssue({ title: "An issue" });
    await repository.openPull({ title: "A pull request", head: "work" });
    expect((await tracker.list({})).issues.map(({ title }) => title)).toEqual(["An issue"]);
    expect((await tracker.get(["1", "2"])).map(({ id }) => id)).toEqual(["1"]);
    await expect(tracker.edit?.("2", { state: "closed" })).rejects.toMatchObject({ code: "task-unknown" });
  });

  it("reads every page", async () => {
    const { github, repository, tracker } = await aScene();
    for (let n = 1; n <= 230; n += 1) repository.openIssue({ title: `Number ${n}` });
    expect((await tracker.list({ state: "open" })).issues).toHaveLength(230);
    expect(github.seen).toHaveLength(3);
  });

  it("queries many issues at once", async () => {
    const { github, repository, tracker } = await aScene();
    for (let n = 1; n <= 20; n += 1) repository.openIssue({ title: `Number ${n}` });
    const ids = Array.from({ length: 20 }, (_, index) => String(index + 1));
    expect(await tracker.get(ids)).toHaveLength(20);
    expect(github.seen.filter(({ path }) => path === "/graphql")).toHaveLength(1);
  });

  it("lists only issues with the configured labels and assignee", async () => {
    const { repository, tracker } = await aScene({ labels: ["agent", "a,b"], assignee: "ada" });
    repository.openIssue({ title: "Wanted", labels: ["Agent", "a,b", "bug"], assignees: ["ada"] });
    repository.openIssue({ title: "Of nobody", labels: ["agent", "a,b"] });
    repository.openIssue({ title: "Without the label", labels: ["agent"], assignees: ["ada"] });
    expect((await tracker.list({})).issues.map(({ title }) => title)).toEqual(["Wanted"]);
  });

  it("says who wrote an issue, and whether they can push", async () => {
    const { github, repository, tracker } = await aScene();
    github.addOutsider("mallory");
    for (const by of ["reviewer", "mallory"]) repository.openIssue({ title: `By ${by}`, by });
    const authors = [
      { name: "reviewer", access: "write" },
      { name: "mallory", access: "none" },
    ];
    expect((await tracker.get(["1", "2"])).map(({ author }) => author)).toEqual(authors);
    expect((await tracker.list({})).issues.map(({ author }) => author)).toEqual(authors);
  });

  it("adds the dependencies written in the text", async () => {
    const { repository, tracker } = await aScene();
    const first = repository.openIssue({ title: "First" });
    const body = "Depends on #7, #8\n\n- Blocked by: #9\n\nSee #10, and other/repo#11.";
    repository.openIssue({ title: "Second", body }).blockedBy.push(first);
    expect(await tracker.get(["2"])).toMatchObject([{ dependsOn: ["1", "7", "8", "9"] }]);
  });

  it("sets and removes dependencies, and rejects a missing one before it writes anything", async () => {
    const { repository, tracker } = await aScene();
    for (const title of ["First", "Second"]) repository.openIssue({ title });
    const issue = { title: "Third", body: "", labels: [], dependsOn: ["#1"] };
    expect(await tracker.create?.(issue)).toMatchObject({ id: "3", dependsOn: ["1"] });
    expect(await tracker.edit?.("3", { dependsOn: ["2"] })).toMatchObject({ dependsOn: ["2"] });
    await expect(tracker.create?.({ ...issue, dependsOn: ["99"] })).rejects.toMatchObject({ code: "task-unknown" });
    expect(repository.record.issues.size).toBe(3);
  });

  it("keeps the labels when the priority changes, and the priority when the labels change", async () => {
    const { repository, tracker } = await aScene({ priorityLabel: "P:" });
    repository.openIssue({ title: "First", labels: ["bug", "P: low"] });
    expect(await tracker.edit?.("1", { priority: "high" })).toMatchObject({ labels: ["bug"], priority: "high" });
    expect(await tracker.edit?.("1", { labels: ["ui"] })).toMatchObject({ labels: ["ui"], priority: "high" });
    expect(repository.issue(1).labels.map(({ name }) => name)).toEqual(["ui", "P: high"]);
  });

  it("edits no comment of another account, even if it carries our mark", async () => {
    const { repository, tracker } = await aScene();
    repository.openIssue({ title: "First" });
    await tracker.comment?.("1", { key: "session demo-1", text: "Started" });
    const [own] = repository.issue(1).comments;
    const copy = repository.comment(1, own?.body ?? "", "mallory");
    repository.issue(1).comments.reverse();
    await tracker.comment?.("1", { key: "session demo-1", text: "Merged" });
    expect(copy.body).toContain("Started");
    expect(own?.body).toContain("Merged");
    expect((await aScene({ comments: false })).tracker.comment).toBeUndefined();
  });

  it("fails for an unreadable issue requested by number", async () => {
    const { github, repository, tracker } = await aScene();
    repository.openIssue({ title: "First" });
    github.faults.add({ on: /^POST \/graphql$/, kind: "truncated" });
    await expect(tracker.get(["1"])).rejects.toMatchObject({ category: "bad-response" });
  });

  it("finds a repository under its new name", async () => {
    const { repository, tracker } = await aScene();
    repository.openIssue({ title: "First" });
    repository.rename("renamed");
    expect((await tracker.list({})).issues).toMatchObject([{ id: "1", url: expect.stringContaining("octo/renamed") }]);
    expect(await tracker.edit?.("1", { state: "closed" })).toMatchObject({ state: "closed" });
  });
});

describe("an issue that was moved to another repository", () => {
  it("no longer exists, and an edit reports where it went instead of changing another issue", async () => {
    const { github, repository, tracker } = await aScene();
    const other = github.createRepository("octo/other");
    repository.openIssue({ title: "Moved" });
    repository.openIssue({ title: "Stays" });
    const moved = repository.moveIssue(1, other);
    expect(await tracker.get(["1"])).toEqual([]);
    expect((await tracker.list({})).issues.map(({ title }) => title)).toEqual(["Stays"]);
    await expect(tracker.edit?.("1", { state: "closed" })).rejects.toMatchObject({
      code: "task-unknown",
      message: expect.stringContaining("octo/other/issues/1"),
    });
    expect(moved.state).toBe("open");
  });
});

describe("`ao doctor` on the tracker github", () => {
  it("reports which token was found", async () => {
    const { tracker } = await aScene();
    const text = "octo/demo, token of GITHUB_TOKEN";
    expect(await tracker.examine?.()).toEqual({ state: "ok", text, fix: null });
  });

  it("reports a missing scope", async () => {
    const { github } = await aScene();
    const env = { GITHUB_TOKEN: github.createToken("octo", ["read:org"]) };
    github.createRepository("octo/other");
    const host = createNodeHost({ log: createSilentLog(), env });
    const config = plugin.config.parse({ repo: "octo/other", baseUrl: github.url });
    const finding = await plugin.create(config, host, { home: "/", projectPath: "/" }).examine?.();
    expect(finding).toMatchObject({
      state: "warn",
      text: "octo/other: the token of GITHUB_TOKEN lacks the scope repo",
    });
  });

  it("reports that a revoked token is rejected, and how to provide another", async () => {
    const { github, tracker } = await aScene();
    github.revoke(github.token);
    expect(await tracker.examine?.()).toMatchObject({
      state: "fail",
      text: expect.stringContaining("refused the token (401)"),
      fix: expect.stringContaining("GITHUB_TOKEN"),
    });
  });
});
