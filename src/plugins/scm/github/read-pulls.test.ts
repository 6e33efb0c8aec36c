import { describe, expect, it, onTestFinished } from "vitest";
import type { ChangeObservation } from "../../../core/change/observation.ts";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Host } from "../../../ports/host.ts";
import type { RemoteForge } from "../../../ports/scm.ts";
import { createFakeClock } from "../../../testing/fake-clock.ts";
import { type FakeGithub, startFakeGithub } from "../../../testing/fake-github/fake-github.ts";
import { tempDir } from "../../../testing/temp.ts";
import { githubScm } from "./github.ts";

const PROJECT = { id: "demo", path: "/", defaultBranch: "main" };

/** Longer than one of GitHub's seconds. */
const SETTLED_MS = 2000;

/** This many pull requests on an inactive GitHub, without git. */
async function aScene(count: number) {
  const clock = createFakeClock(0);
  const github = await startFakeGithub({ folder: tempDir(), now: clock.now });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  for (let n = 1; n <= count; n += 1) await repository.openPull({ title: `Pull ${n}`, head: `work-${n}` });
  const host = { ...createNodeHost({ log: createSilentLog(), env: { GITHUB_TOKEN: github.token } }), clock };
  const remote = remoteOf(github, host, "octo/demo");
  const all = Array.from({ length: count }, (_, index) => ({ number: index + 1, head: "" }));
  const read = async (): Promise<readonly ChangeObservation<string>[]> =>
    (await remote?.readChanges(PROJECT, all)) ?? [];
  return { github, repository, clock, host, read };
}

function remoteOf(github: FakeGithub, host: Host, repo: string): RemoteForge | undefined {
  const config = githubScm.config.parse({ repo, baseUrl: github.url });
  return githubScm.create(config, host, { home: "/", projectPath: "/" }).remote;
}

async function readFirst(remote: RemoteForge | undefined): Promise<readonly ChangeObservation<string>[]> {
  return (await remote?.readChanges(PROJECT, [{ number: 1, head: "" }])) ?? [];
}

async function costOf({ limits, token, seen }: FakeGithub, work: () => Promise<unknown>) {
  const before = { requests: seen.length, left: limits.remaining(token, "graphql") };
  await work();
  return { requests: seen.length - before.requests, points: before.left - limits.remaining(token, "graphql") };
}

describe("many pull requests on GitHub", () => {
  it("cost one request and one point of the rate limit for fifty while nothing happens", async () => {
    const { github, clock, read } = await aScene(50);
    expect(await read()).toHaveLength(50);
    clock.set(SETTLED_MS);
    await read();
    expect(await costOf(github, read)).toEqual({ requests: 1, points: 1 });
    clock.set(31 * 60_000);
    const late = await costOf(github, read);
    expect(late.requests).toBe(2);
    // An hour of polls, one a minute, with the discussion read every half hour: for ten times as many too.
    expect(10 * (60 + 2 * late.points)).toBeLessThan(4500);
  });

  it("of several repositories cost one request when read at the same moment, and an unreadable one does not affect the others", async () => {
    const { github, host, read } = await aScene(6);
    const other = github.createRepository("octo/other");
    await other.openPull({ title: "Other", head: "work" });
    const elsewhere = remoteOf(github, host, "octo/other");
    const missing = remoteOf(github, host, "octo/missing");
    const all = () => Promise.allSettled([read(), readFirst(elsewhere), readFirst(missing)]);
    let answers = await all();
    expect(answers).toMatchObject([
      { value: { length: 6 } },
      { value: { length: 1 } },
      { reason: { category: "not-found", message: expect.stringContaining("octo/missing") } },
    ]);
    github.faults.add({ on: /graphql/, kind: "status", status: 502, times: 4 });
    answers = await all();
    expect(answers).toMatchObject(answers.map(() => ({ reason: { category: "unavailable" } })));
  });

  it("of several repositories are all read with a GitHub App, whose tokens are for one repository each", async () => {
    const { github, host, repository } = await aScene(1);
    await github.createRepository("octo/other").openPull({ title: "Other", head: "work" });
    const app = github.createApp("ao-writer");
    const asApp = { ...host, env: { GITHUB_APP_ID: app.id, GITHUB_APP_PRIVATE_KEY: app.privateKey } };
    const remotes = [repository.fullName, "octo/other"].map((name) => remoteOf(github, asApp, name));
    const found = await Promise.all(remotes.map(readFirst));
    expect(found.map((pulls) => pulls.map(({ number }) => number))).toEqual([[1], [1]]);
  });

  it("show what was said since the last time, and what was said before", async () => {
    const { github, repository, clock, read } = await aScene(10);
    await repository.review(3, { state: "COMMENTED", body: "First." });
    const bodies = async (): Promise<readonly unknown[]> =>
      (await read()).find(({ number }) => number === 3)?.reviews.map(({ body }) => body) ?? [];
    for (let time = 0; time < 3; time += 1) expect(await bodies()).toEqual(["First."]);
    // In the same second as the first, so that the pull request does not show it.
    await repository.review(3, { state: "COMMENTED", body: "Second." });
    expect(await bodies()).toEqual(["First.", "Second."]);
    clock.set(SETTLED_MS);
    await read();
    expect(await costOf(github, read)).toMatchObject({ requests: 1 });
    await repository.review(3, { state: "COMMENTED", body: "Third." });
    expect((await costOf(github, async () => expect(await bodies()).toHaveLength(3))).requests).toBe(2);
  });

  it("are read with a token that may not read Actions; checks of one name are then told apart by their suite", async () => {
    const { github, host, repository } = await aScene(1);
    const app = github.createApp("weak", { contents: "write", pull_requests: "write", checks: "read" });
    const env = { GITHUB_APP_ID: app.id, GITHUB_APP_PRIVATE_KEY: app.privateKey };
    repository.checks.fail(1, { name: "build" });
    repository.checks.pass(1, "build");
    const [seen] = await readFirst(remoteOf(github, { ...host, env }, "octo/demo"));
    expect(seen?.checks).toMatchObject([{ name: "build", state: "failed" }]);
  });
});
