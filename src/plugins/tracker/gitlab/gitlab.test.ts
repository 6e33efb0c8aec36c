import { describe, expect, it, onTestFinished } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { describeTrackerContract } from "../../../testing/contracts/tracker.contract.ts";
import { type FakeGitlab, startFakeGitlab } from "../../../testing/fake-gitlab/fake-gitlab.ts";
import type { FakeProject } from "../../../testing/fake-gitlab/scripts.ts";
import { tempDir } from "../../../testing/temp.ts";
import { gitlab as plugin } from "./gitlab.ts";

interface Scene {
  readonly gitlab: FakeGitlab;
  readonly project: FakeProject;
  readonly tracker: Tracker;
}

async function aScene(settings: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const gitlab = await startFakeGitlab({ folder: tempDir() });
  onTestFinished(() => gitlab.close());
  for (const person of ["ada", "bob"]) gitlab.createToken(person);
  const project = gitlab.createProject("octo/tools/demo");
  const host = createNodeHost({ log: createSilentLog(), env: { GITLAB_TOKEN: gitlab.token } });
  const config = plugin.config.parse({ repo: "octo/tools/demo", baseUrl: gitlab.url, ...settings });
  return { gitlab, project, tracker: plugin.create(config, host, { home: "/", projectPath: "/" }) };
}

const namesOf = (labels: readonly { readonly name: string }[]): readonly string[] => labels.map(({ name }) => name);

describe("the author of an issue on GitLab", () => {
  it("has write access as a member who can push", async () => {
    const { gitlab, project, tracker } = await aScene();
    gitlab.addOutsider("mallory");
    for (const by of ["ada", "mallory"]) project.openIssue({ title: `By ${by}`, by });
    expect(await tracker.get(["1"])).toMatchObject([{ author: { name: "ada", access: "write" } }]);
    expect(await tracker.get(["2"])).toMatchObject([{ author: { name: "mallory", access: "none" } }]);
    expect((await tracker.list({})).issues.map(({ author }) => author)).toEqual([{ name: "ada" }, { name: "mallory" }]);
  });

  it("counts as a stranger for a token that may not see the members", async () => {
    const { gitlab, project, tracker } = await aScene();
    project.openIssue({ title: "By ada", by: "ada" });
    gitlab.faults.add({ on: /members/, kind: "status", status: 403 });
    expect((await tracker.get(["1"])).map(({ author }) => author)).toEqual([{ name: "ada", access: "none" }]);
  });
});

describeTrackerContract({
  name: "the tracker gitlab",
  special: { labels: ["needs: review", "42", "#hash", "true"] },
  skip: [{ test: "lists by labels, ignoring case", reason: "labels on GitLab have no commas; see below" }],
  create: async () => {
    const { gitlab, project, tracker } = await aScene();
    return {
      tracker,
      countCalls: () => gitlab.seen.length,
      commentsOf: (id) => project.issue(Number(id)).discussions.flatMap(({ notes }) => notes.map(({ body }) => body)),
      seed: async ({ title, body, labels, priority, dependsOn, state }) => {
        const all = priority === undefined ? labels : [...labels, `priority::${priority}`];
        const { iid } = project.openIssue({ title, description: body, labels: all });
        for (const id of dependsOn) project.block(iid, Number(id));
        if (state === "closed") project.closeIssue(iid);
        return String(iid);
      },
      seedMalformed: async () => {
        const issue = project.openIssue({ title: "Broken" });
        issue.malformed = { labels: null };
        return `#${issue.iid}`;
      },
    };
  },
});

describe("the tracker gitlab", () => {
  it("lists by labels, ignoring case, and asks GitLab for the project's own spelling", async () => {
    const { gitlab, project, tracker } = await aScene({ labels: ["agent"], assignee: "ada" });
    project.openIssue({ title: "Wanted", labels: ["Agent", "bug"], assignees: ["ada"] });
    project.openIssue({ title: "Of nobody", labels: ["Agent", "bug"] });
    project.openIssue({ title: "Without the label", labels: ["Agent"], assignees: ["ada"] });
    expect((await tracker.list({ labels: ["BUG"] })).issues.map(({ title }) => title)).toEqual(["Wanted"]);
    expect(gitlab.seen.at(-1)?.query).toContain("labels=Agent%2Cbug");
  });

  it("reads every page", async () => {
    const { gitlab, project, tracker } = await aScene();
    for (let n = 1; n <= 230; n += 1) project.openIssue({ title: `Number ${n}` });
    expect((await tracker.list({ state: "open" })).issues).toHaveLength(230);
    expect(gitlab.seen).toHaveLength(3);
  });

  it("adds the dependencies written in the text to those of GitLab, also in a list", async () => {
    const { project, tracker } = await aScene();
    project.openIssue({ title: "First" });
    project.openIssue({ title: "Second", description: "Depends on #7\n\n- Blocked by: #9\n\nSee #10." });
    project.block(2, 1);
    expect(await tracker.get(["2"])).toMatchObject([{ dependsOn: ["1", "7", "9"] }]);
    expect((await tracker.list({})).issues[1]).toMatchObject({ dependsOn: ["1", "7", "9"] });
  });

  it("sets and removes dependencies, and rejects a missing one before it writes anything", async () => {
    const { project, tracker } = await aScene();
    for (const title of ["First", "Second"]) project.openIssue({ title });
    const issue = { title: "Third", body: "", labels: [], dependsOn: ["#1"] };
    expect(await tracker.create?.(issue)).toMatchObject({ id: "3", dependsOn: ["1"] });
    expect(await tracker.edit?.("3", { dependsOn: ["2"] })).toMatchObject({ dependsOn: ["2"] });
    await expect(tracker.create?.({ ...issue, dependsOn: ["99"] })).rejects.toMatchObject({ code: "task-unknown" });
    expect(project.record.issues.size).toBe(3);
    project.set({ isPremium: false });
    await expect(tracker.edit?.("3", { dependsOn: ["1"] })).rejects.toMatchObject({
      hint: expect.stringContaining('Write "Depends on #1"'),
    });
  });

  it("keeps the labels when the priority changes, and the priority when the labels change", async () => {
    const { project, tracker } = await aScene();
    project.openIssue({ title: "First", labels: ["bug", "priority::low"] });
    expect(await tracker.edit?.("1", { priority: "high" })).toMatchObject({ labels: ["bug"], priority: "high" });
    expect(await tracker.edit?.("1", { labels: ["ui"] })).toMatchObject({ labels: ["ui"], priority: "high" });
    expect(namesOf(project.issue(1).labels)).toEqual(["ui", "priority::high"]);
    await expect(tracker.edit?.("1", { labels: ["a,b"] })).rejects.toMatchObject({ code: "usage" });
  });

  it("shows the stage of the work by the configured label, never backwards, and removes it at the end", async () => {
    const { project, tracker } = await aScene({ states: { working: "workflow::dev", review: "workflow::review" } });
    project.openIssue({ title: "First", labels: ["bug"] });
    const labels = (): readonly string[] => namesOf(project.issue(1).labels);
    await tracker.transition?.("1", "working");
    expect(labels()).toEqual(["bug", "workflow::dev"]);
    await tracker.transition?.("1", "review");
    await tracker.transition?.("1", "working");
    expect(labels()).toEqual(["bug", "workflow::review"]);
    await tracker.edit?.("1", { state: "closed" });
    expect(labels()).toEqual(["bug"]);
    await tracker.transition?.("1", "working");
    expect(labels()).toEqual(["bug"]);
  });

  it("edits no comment of another account, even if it carries our mark", async () => {
    const { project, tracker } = await aScene();
    project.openIssue({ title: "First" });
    await tracker.comment?.("1", { key: "session demo-1", text: "Started" });
    const [own] = project.issue(1).discussions;
    const copy = project.comment(1, own?.notes[0]?.body ?? "", "mallory");
    project.issue(1).discussions.reverse();
    await tracker.comment?.("1", { key: "session demo-1", text: "Merged" });
    expect(copy.notes[0]?.body).toContain("Started");
    expect(own?.notes[0]?.body).toContain("Merged");
    expect((await aScene({ comments: false })).tracker.comment).toBeUndefined();
  });

  it("fails for an unreadable issue requested by number", async () => {
    const { project, tracker } = await aScene();
    project.openIssue({ title: "First" }).malformed = { title: 7 };
    await expect(tracker.get(["1"])).rejects.toMatchObject({ category: "bad-response" });
  });

  it("finds a project under its new name", async () => {
    const { project, tracker } = await aScene();
    project.openIssue({ title: "First" });
    project.rename("renamed");
    expect((await tracker.list({})).issues).toMatchObject([{ id: "1", url: expect.stringContaining("tools/renamed") }]);
    expect(await tracker.edit?.("1", { state: "closed" })).toMatchObject({ state: "closed" });
  });

  it("changes nothing in an issue that was moved to another project", async () => {
    const { gitlab, project, tracker } = await aScene();
    const moved = project.openIssue({ title: "Moved" });
    moved.movedTo = gitlab.createProject("octo/other").openIssue({ title: "Moved" });
    await expect(tracker.edit?.("1", { title: "Again" })).rejects.toMatchObject({ code: "task-unknown" });
    expect(moved.title).toBe("Moved");
  });
});

describe("`ao doctor` on the tracker gitlab", () => {
  it("reports which token was found, which scope is missing, and that a revoked token is rejected", async () => {
    const { gitlab, tracker } = await aScene();
    const text = "octo/tools/demo, token of GITLAB_TOKEN";
    expect(await tracker.examine?.()).toEqual({ state: "ok", text, fix: null });
    const host = createNodeHost({
      log: createSilentLog(),
      env: { GITLAB_TOKEN: gitlab.createToken("octo", ["read_api"]) },
    });
    const config = plugin.config.parse({ repo: "octo/tools/demo", baseUrl: gitlab.url });
    const poor = plugin.create(config, host, { home: "/", projectPath: "/" });
    expect(await poor.examine?.()).toMatchObject({ state: "warn", text: `${text}: it lacks the scope api` });
    gitlab.revoke(gitlab.token);
    expect(await tracker.examine?.()).toMatchObject({
      state: "fail",
      text: expect.stringContaining("refused the token (401)"),
      fix: expect.stringContaining("GITLAB_TOKEN"),
    });
  });
});
