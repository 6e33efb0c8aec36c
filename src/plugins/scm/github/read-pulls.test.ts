import { describe, expect, it, onTestFinished } from "vitest";
import type { ChangeObservation } from "../../../core/change/observation.ts";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import { createFakeClock } from "../../../testing/fake-clock.ts";
import { type FakeGithub, startFakeGithub } from "../../../testing/fake-github/fake-github.ts";
import { tempDir } from "../../../testing/temp.ts";
import { githubScm } from "./github.ts";

/** Longer than one of GitHub's seconds. */
const SETTLED_MS = 2000;

/** So many pull requests on a GitHub where nothing happens; no git takes part. */
async function aScene(count: number) {
  const clock = createFakeClock(0);
  const github = await startFakeGithub({ folder: tempDir(), now: clock.now });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  for (let n = 1; n <= count; n += 1) await repository.openPull({ title: `Pull ${n}`, head: `work-${n}` });
  const host = { ...createNodeHost({ log: createSilentLog(), env: { GITHUB_TOKEN: github.token } }), clock };
  const config = githubScm.config.parse({ repo: "octo/demo", baseUrl: github.url });
  const { remote } = githubScm.create(config, host, { home: "/", projectPath: "/" });
  const project = { id: "demo", path: "/", defaultBranch: "main" };
  const all = Array.from({ length: count }, (_, index) => ({ number: index + 1, head: "" }));
  const read = async (): Promise<readonly ChangeObservation<string>[]> =>
    (await remote?.readChanges(project, all)) ?? [];
  return { github, repository, clock, read };
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
    // An hour of polls, one a minute, and all that was said read every half hour: for ten times as many too.
    expect(10 * (60 + 2 * late.points)).toBeLessThan(4500);
  });

  it("show what was said since the last time, and what was said before", async () => {
    const { github, repository, clock, read } = await aScene(10);
    await repository.review(3, { state: "COMMENTED", body: "First." });
    const bodies = async (): Promise<readonly unknown[]> =>
      (await read()).find(({ number }) => number === 3)?.reviews.map(({ body }) => body) ?? [];
    for (let time = 0; time < 3; time += 1) expect(await bodies()).toEqual(["First."]);
    // In the same second as the first, so that the pull request says nothing of it.
    await repository.review(3, { state: "COMMENTED", body: "Second." });
    expect(await bodies()).toEqual(["First.", "Second."]);
    clock.set(SETTLED_MS);
    await read();
    expect(await costOf(github, read)).toMatchObject({ requests: 1 });
    await repository.review(3, { state: "COMMENTED", body: "Third." });
    expect((await costOf(github, async () => expect(await bodies()).toHaveLength(3))).requests).toBe(2);
  });
});
