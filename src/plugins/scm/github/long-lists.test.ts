import { describe, expect, it, onTestFinished } from "vitest";
import type { ChangeObservation } from "../../../core/change/observation.ts";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import { startFakeGithub } from "../../../testing/fake-github/fake-github.ts";
import { tempDir } from "../../../testing/temp.ts";
import { githubScm } from "./github.ts";

const PROJECT = { id: "demo", path: "/", defaultBranch: "main" };

/** One pull request on GitHub, without git. */
async function aPull() {
  const github = await startFakeGithub({ folder: tempDir() });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  await repository.openPull({ title: "Pull", head: "work" });
  const host = createNodeHost({ log: createSilentLog(), env: { GITHUB_TOKEN: github.token } });
  const config = githubScm.config.parse({ repo: "octo/demo", baseUrl: github.url });
  const { remote } = githubScm.create(config, host, { home: "/", projectPath: "/" });
  const read = async (): Promise<ChangeObservation<string> | undefined> =>
    (await remote?.readChanges(PROJECT, [{ number: 1, head: "" }]))?.[0];
  return { repository, read };
}

const numbered = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);

describe("a pull request on GitHub with more than a page of a list", () => {
  it("has each of 250 comments of a review, in order", async () => {
    const { repository, read } = await aPull();
    const comments = numbered(250, "Point").map((body, at) => ({ path: "a.ts", line: at + 1, body }));
    await repository.review(1, { state: "CHANGES_REQUESTED", comments });
    const threads = (await read())?.reviews.flatMap((review) => review.threads) ?? [];
    expect(threads.map((thread) => thread.comments[0]?.text)).toEqual(numbered(250, "Point"));
  });

  it("has each of 130 comments of a thread, 230 reviews and 120 comments on the whole", async () => {
    const { repository, read } = await aPull();
    await repository.review(1, { state: "COMMENTED", comments: [{ path: "a.ts", line: 1, body: "Reply 0" }] });
    for (const body of numbered(130, "Reply")) repository.reply(1, 0, { body });
    for (const body of numbered(230, "Review")) await repository.review(1, { state: "COMMENTED", body });
    for (const body of numbered(120, "Comment")) repository.comment(1, body);
    const reviews = (await read())?.reviews ?? [];
    const replies = reviews[0]?.threads[0]?.comments.map(({ text }) => text);
    expect(replies).toEqual(["Reply 0", ...numbered(130, "Reply")]);
    const bodies = reviews.flatMap(({ body }) => body ?? []);
    expect(bodies).toEqual(numbered(230, "Review"));
    const talk = reviews.slice(-120).map(({ threads }) => threads[0]?.comments[0]?.text);
    expect(talk).toEqual(numbered(120, "Comment"));
  });

  it("shows the red check among 150, whatever its place", async () => {
    const { repository, read } = await aPull();
    for (const name of numbered(149, "job")) repository.checks.pass(1, name);
    repository.checks.fail(1, { name: "last" });
    const checks = (await read())?.checks ?? [];
    expect(checks).toHaveLength(150);
    expect(checks.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(["last"]);
  });

  it("is not merged if there is more than ao reads, and says so", async () => {
    const { repository, read } = await aPull();
    const comments = numbered(1001, "Point").map((body, at) => ({ path: "a.ts", line: at + 1, body }));
    await repository.review(1, { state: "COMMENTED", comments: comments.slice(1) });
    expect((await read())?.blocked).toBeNull();
    await repository.review(1, { state: "COMMENTED", comments: comments.slice(0, 1) });
    const seen = await read();
    expect(seen?.blocked).toContain("more than 1000 review threads");
    // The newest are the ones that are read.
    expect(seen?.reviews.at(-1)?.threads[0]?.comments[0]?.text).toBe("Point 1");
  });
});
