import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { PluginError } from "../../core/errors.ts";
import { createHostFs } from "../../platform/fs.ts";
import { http } from "../../platform/http.ts";
import { type FakeGithub, startFakeGithub } from "../../testing/fake-github/fake-github.ts";
import { createFakeMachine } from "../../testing/fakes/host.ts";
import { tempDir } from "../../testing/temp.ts";
import { addressOf, repositoryOf } from "./address.ts";
import { createGithubClient } from "./client.ts";
import { examineAccess } from "./examine.ts";
import { requireToken } from "./token.ts";

const MINUTE = 60_000;
const READ = { route: "GET /repos/{owner}/{repo}", parameters: { owner: "octo", repo: "demo" }, answer: z.unknown() };
const WHO = { query: "{ viewer { login } }", answer: z.object({ viewer: z.object({ login: z.string() }) }) };

async function aScene() {
  const clock = { at: Date.now() };
  const github = await startFakeGithub({ folder: tempDir(), now: () => clock.at });
  onTestFinished(() => github.close());
  github.createRepository("octo/demo");
  return { github, clock, app: github.createApp("ao-writer") };
}

function aClient(github: FakeGithub, clock: { at: number }, env: Record<string, string>) {
  const machine = createFakeMachine({ clock: { now: () => clock.at, after: () => () => undefined }, env });
  const host = { ...machine.host, http, fs: createHostFs() };
  const identity = { address: addressOf(github.url), repository: repositoryOf("octo/demo") };
  return { host, identity, client: createGithubClient(host, identity), logged: machine.logged };
}

function countTokens(github: FakeGithub): number {
  return github.seen.filter(({ path }) => path.endsWith("/access_tokens")).length;
}

describe("a GitHub App", () => {
  it("asks with a token of its installation, and renews it before it ends", async () => {
    const { github, clock, app } = await aScene();
    const { client } = aClient(github, clock, { GITHUB_APP_ID: app.id, GITHUB_APP_PRIVATE_KEY: app.privateKey });
    expect((await client.graphql(WHO)).data.viewer.login).toBe("ao-writer[bot]");
    clock.at += 54 * MINUTE;
    await client.rest(READ);
    expect(countTokens(github)).toBe(1);
    clock.at += 2 * MINUTE;
    await client.rest(READ);
    expect(countTokens(github)).toBe(2);
  });

  it("shares a token between clients, and makes another one once it is refused", async () => {
    const { github, clock, app } = await aScene();
    const env = { GITHUB_APP_ID: app.id, GITHUB_APP_PRIVATE_KEY: app.privateKey.replaceAll("\n", "\\n") };
    const { client, host, identity } = aClient(github, clock, env);
    await Promise.all([client.rest(READ), createGithubClient(host, identity).rest(READ)]);
    expect(countTokens(github)).toBe(1);
    github.revoke((await requireToken(host, identity)).value);
    await expect(client.rest(READ)).rejects.toMatchObject({ category: "auth" });
    await client.rest(READ);
    expect(countTokens(github)).toBe(2);
  });

  it("has a budget per account that installed it, which does not stop the others", async () => {
    const { github, clock, app } = await aScene();
    for (const name of ["octo/other", "acme/demo"]) github.createRepository(name);
    const env = { GITHUB_APP_ID: app.id, GITHUB_APP_PRIVATE_KEY: app.privateKey };
    const { client, host, identity } = aClient(github, clock, env);
    const read = (name: string) => {
      const repository = repositoryOf(name);
      const of = createGithubClient(host, { ...identity, repository });
      return of.rest({ ...READ, parameters: { ...repository } });
    };
    github.limits.setRemaining((await requireToken(host, identity)).value, "core", { remaining: 1 });
    await client.rest(READ);
    await expect(read("octo/other")).rejects.toMatchObject({ category: "rate-limited" });
    await read("acme/demo");
    github.faults.add({ on: /^GET .*acme/, kind: "secondary-limit", retryAfter: 60 });
    await expect(read("acme/demo")).rejects.toMatchObject({ category: "rate-limited" });
    const before = github.seen.length;
    clock.at += 30_000;
    await expect(read("umbrella/demo")).rejects.toMatchObject({ category: "rate-limited" });
    expect(github.seen).toHaveLength(before);
  });

  it("has its key in a file, and is another one for reviews", async () => {
    const { github, clock, app } = await aScene();
    const other = github.createApp("ao-reviewer");
    const file = join(tempDir(), "app.pem");
    writeFileSync(file, app.privateKey);
    const { client, host, identity } = aClient(github, clock, {
      GITHUB_TOKEN: "not used",
      GITHUB_APP_ID: app.id,
      GITHUB_APP_PRIVATE_KEY_FILE: file,
      GITHUB_REVIEWER_APP_ID: other.id,
      GITHUB_REVIEWER_APP_PRIVATE_KEY: other.privateKey,
    });
    const reviewer = createGithubClient(host, { ...identity, role: "reviewer" });
    const logins = await Promise.all([client, reviewer].map((one) => one.graphql(WHO)));
    expect(logins.map(({ data }) => data.viewer.login)).toEqual(["ao-writer[bot]", "ao-reviewer[bot]"]);
  });

  it.each([
    ["without a key", {}, "has no private key", "GITHUB_APP_PRIVATE_KEY_FILE"],
    ["whose key is none", { GITHUB_APP_PRIVATE_KEY: "sesame" }, "cannot be read as a key", ".pem file"],
    ["whose file is missing", { GITHUB_APP_PRIVATE_KEY_FILE: "/none.pem" }, "which cannot be read", ".pem file"],
  ])("%s is refused with what to set, and without the key", async (_how, env, message, hint) => {
    const { github, clock, app } = await aScene();
    const { client } = aClient(github, clock, { GITHUB_APP_ID: app.id, ...env });
    const failure = await client.rest(READ).catch((error: PluginError) => error);
    expect(failure).toMatchObject({
      category: "auth",
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(JSON.stringify(failure)).not.toContain("sesame");
  });

  it("is told to `ao doctor`: who it is, what it lacks, a wrong key, a repository that it is not installed in", async () => {
    const { github, clock, app } = await aScene();
    const weak = github.createApp("weak", { contents: "read", pull_requests: "write", issues: "write" });
    const examine = (id: string, key: string) => {
      const { host, client, identity } = aClient(github, clock, { GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: key });
      return examineAccess(host, client, identity.repository);
    };
    expect(await examine(app.id, app.privateKey)).toEqual({
      state: "ok",
      text: `octo/demo, token of GitHub App ${app.id}`,
      fix: null,
    });
    expect(await examine(weak.id, weak.privateKey)).toMatchObject({
      state: "warn",
      text: expect.stringContaining(
        "lacks the permissions contents: write, actions: write, checks: read, statuses: read",
      ),
    });
    expect(await examine(app.id, weak.privateKey)).toMatchObject({
      state: "fail",
      text: expect.stringContaining(`refused the private key of GitHub App ${app.id} (401)`),
    });
    app.record.notIn.add("demo");
    expect(await examine(app.id, app.privateKey)).toMatchObject({
      state: "fail",
      text: expect.stringContaining(`GitHub App ${app.id} is not installed in octo/demo`),
    });
  });
});
