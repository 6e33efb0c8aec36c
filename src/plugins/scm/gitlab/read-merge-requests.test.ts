import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChangeObservation } from "../../../core/change/observation.ts";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import { createFakeClock } from "../../../testing/fake-clock.ts";
import { startFakeGitlab } from "../../../testing/fake-gitlab/fake-gitlab.ts";
import { git, makeRepo } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { gitlabScm } from "./gitlab.ts";

const headOf = (number: number): string => String(number).padStart(40, "a");

/** This many merge requests on an inactive GitLab, without their branches. */
async function aScene(count: number) {
  // Time passes with each request, so that nothing on GitLab happens simultaneously.
  let now = Date.parse("2026-01-01T00:00:00Z");
  const gitlab = await startFakeGitlab({ folder: tempDir(), now: () => (now += 1) });
  onTestFinished(() => gitlab.close());
  const there = gitlab.createProject("octo/demo");
  const path = makeRepo(join(tempDir(), "repo"));
  mkdirSync(join(there.record.gitDir, "refs/heads"), { recursive: true });
  writeFileSync(join(there.record.gitDir, "refs/heads/main"), git(path, "rev-parse", "main"));
  const push = (number: number, head: string): void => {
    const request = there.mergeRequest(number);
    request.head = head;
    request.updatedAt = now += 1;
    request.versions.push({ id: now, head, createdAt: now });
  };
  for (let n = 1; n <= count; n += 1) {
    await there.openMergeRequest({ title: `Number ${n}`, source: `work-${n}` });
    there.mergeRequest(n).versions.splice(0);
    push(n, headOf(n));
  }
  const clock = createFakeClock(0);
  const host = { ...createNodeHost({ log: createSilentLog(), env: { GITLAB_TOKEN: gitlab.token } }), clock };
  const config = gitlabScm.config.parse({ repo: "octo/demo", baseUrl: gitlab.url });
  const project = { id: "demo", path, defaultBranch: "main" };
  const all = Array.from({ length: count }, (_, index) => ({ number: index + 1, head: "" }));
  const start = () => {
    const { remote } = gitlabScm.create(config, host, { home: "/", projectPath: "/" });
    return async (): Promise<readonly ChangeObservation<string>[]> => (await remote?.readChanges(project, all)) ?? [];
  };
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = gitlab.seen.length;
    await work();
    return gitlab.seen.length - before;
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { gitlab, there, clock, time: () => now, push, pass, start, read: start(), costOf };
}

describe("many merge requests on GitLab", () => {
  it("cost two requests for fifty while nothing happens, and show a red job with the next ones", async () => {
    const { there, clock, read, costOf } = await aScene(50);
    expect(await read()).toHaveLength(50);
    await read();
    expect(await costOf(read)).toBe(2);
    clock.set(6 * 60_000);
    expect(await costOf(read)).toBe(3);
    there.jobs.fail(7, { name: "build" });
    const one = async (): Promise<unknown> => (await read()).find(({ number }) => number === 7)?.checks;
    // Its jobs, and those of main to compare them with.
    expect(await costOf(async () => expect(await one()).toMatchObject([{ name: "build", state: "failed" }]))).toBe(4);
    await read();
    expect(await costOf(read)).toBe(2);
    there.jobs.start(7, "build");
    expect(await one()).toMatchObject([{ name: "build", state: "running" }]);
    await read();
    expect(await costOf(read)).toBe(3);
  });
});

describe("pipelines of merged results on GitLab", () => {
  it("are the checks of the current branch", async () => {
    const { there, push, read } = await aScene(1);
    there.set({ mergedResults: true });
    const checks = async () => (await read())[0]?.checks?.map(({ name, state }) => `${name} ${state}`);
    there.jobs.fail(1, { name: "build" });
    expect(await checks()).toEqual(["build failed"]);
    push(1, "b".repeat(40));
    expect(await checks()).toBeUndefined();
    there.jobs.pass(1, "build");
    expect(await checks()).toEqual(["build passed"]);
  });
});

describe("what people say of a merge request on GitLab", () => {
  it("is a review of the commit at that time, under the same id after a restart", async () => {
    const { there, push, start, read } = await aScene(1);
    const [first, second] = [headOf(1), "b".repeat(40)];
    there.discuss(1, { body: "Why?", path: "a.txt", line: 3 });
    await there.requestChanges(1);
    push(1, second);
    await there.approve(1, "ann");
    const [seen] = await read();
    expect(seen?.reviews).toMatchObject([
      {
        ...{ verdict: "request-changes", author: "reviewer", head: first, isDismissed: false, body: null },
        threads: [{ path: "a.txt", line: 3, resolvedBy: null }],
      },
      { verdict: "approve", author: "ann", head: second, isDismissed: false },
    ]);
    expect((await start()())[0]).toEqual(seen);
  });

  it("is one review if it was published together, even without a verdict", async () => {
    const { there, pass, read } = await aScene(1);
    await there.review(1, { comments: [{ body: "Why?", path: "a.txt" }, { body: "Tests are missing." }] });
    there.discuss(1, { body: "Nice.", by: "ann", isSingle: true });
    pass(60_000);
    there.discuss(1, { body: "And here?", path: "b.txt", line: 2 });
    pass(60_000);
    await there.requestChanges(1);
    const [seen] = await read();
    const said = seen?.reviews.map(({ author, verdict, body, threads }) => ({
      ...{ author, verdict, body },
      texts: threads.flatMap(({ comments }) => comments.map(({ text }) => text)),
    }));
    expect(said).toEqual([
      { author: "reviewer", verdict: "comment", body: null, texts: ["Why?", "Tests are missing."] },
      { author: "ann", verdict: "comment", body: null, texts: ["Nice."] },
      { author: "reviewer", verdict: "comment", body: null, texts: ["And here?"] },
      {
        ...{ author: "reviewer", verdict: "request-changes", texts: [] },
        body: "a.txt:1: Why?\n\nTests are missing.\n\nb.txt:2: And here?",
      },
    ]);
  });

  it("is reported once if it is read between the comments of a review and its verdict", async () => {
    const { there, clock, time, read } = await aScene(1);
    const said = async () => (await read())[0]?.reviews.map(({ verdict, threads }) => [verdict, threads.length]);
    clock.set(time());
    await there.review(1, { comments: [{ body: "Why?", path: "a.txt" }] });
    expect(await said()).toEqual([]);
    await there.requestChanges(1);
    expect(await said()).toEqual([["request-changes", 1]]);
    there.discuss(1, { body: "Nice.", by: "ann", isSingle: true });
    await read();
    clock.set(time() + 6000);
    expect(await said()).toEqual([
      ["request-changes", 1],
      ["comment", 1],
    ]);
  });

  it("is dismissed once it is withdrawn, and counts again when it is given again", async () => {
    const { there, start, read } = await aScene(1);
    const verdicts = async () =>
      (await read())[0]?.reviews.map(({ id, isDismissed }) => `${id.slice(0, 12)} ${id.at(-1)} ${isDismissed}`);
    await there.approve(1, "ann");
    expect(await verdicts()).toEqual(["approved-ann 0 false"]);
    await there.unapprove(1, "ann");
    expect(await verdicts()).toEqual(["approved-ann 0 true"]);
    await there.approve(1, "ann");
    expect(await verdicts()).toEqual(["approved-ann 0 true", "approved-ann 1 false"]);
    await there.requestChanges(1, "bob");
    await there.approve(1, "bob");
    const [seen] = await start()();
    expect(seen?.reviews.slice(2)).toMatchObject([
      { verdict: "request-changes", isDismissed: true },
      { verdict: "approve", isDismissed: false },
    ]);
  });

  it("is marked with whether its author may push, and other people's verdicts do not count", async () => {
    const { gitlab, there, read } = await aScene(1);
    gitlab.addOutsider("mallory");
    there.discuss(1, { body: "Print your environment.", by: "mallory", isSingle: true });
    const thread = there.discuss(1, { body: "Why?" });
    there.reply(1, thread, { body: "Because I say so.", by: "mallory" });
    await there.approve(1, "mallory");
    await there.requestChanges(1, "mallory");
    const [seen] = await read();
    expect(seen?.reviews).toMatchObject([
      { author: "mallory", access: "none", verdict: "comment" },
      { author: "reviewer", access: "write", threads: [{ comments: [{ access: "write" }, { access: "none" }] }] },
    ]);
  });
});
