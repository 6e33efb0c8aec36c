import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { PluginError } from "../../core/errors.ts";
import { http } from "../../platform/http.ts";
import type { Host } from "../../ports/host.ts";
import { type FakeGithub, startFakeGithub } from "../../testing/fake-github/fake-github.ts";
import type { FakeRepository } from "../../testing/fake-github/scripts.ts";
import { createFakeMachine, type LogLine } from "../../testing/fakes/host.ts";
import { tempDir } from "../../testing/temp.ts";
import { addressOf, repositoryOf } from "./address.ts";
import { createGithubClient, type GithubClient } from "./client.ts";
import type { TokenUse } from "./token.ts";

interface Scene {
  readonly github: FakeGithub;
  readonly repository: FakeRepository;
  readonly client: GithubClient;
  readonly host: Host;
  readonly logged: readonly LogLine[];
}

async function aScene(options: { readonly now?: () => number; readonly exec?: Host["exec"] } = {}): Promise<Scene> {
  const { now = Date.now, exec } = options;
  const github = await startFakeGithub({ folder: tempDir(), now });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  repository.openIssue({ title: "First" });
  const machine = createFakeMachine({
    clock: { now: Date.now, after: () => () => undefined },
    env: exec === undefined ? { GITHUB_TOKEN: github.token } : {},
    ...(exec === undefined ? {} : { exec }),
  });
  const host = { ...machine.host, http };
  const client = createGithubClient(host, identityOn(github));
  return { github, repository, client, host, logged: machine.logged };
}

function identityOn(github: FakeGithub): TokenUse {
  return { address: addressOf(github.url), repository: repositoryOf("octo/demo") };
}

const Any = z.unknown();
const READ = { route: "GET /repos/{owner}/{repo}/issues", parameters: { owner: "octo", repo: "demo" }, answer: Any };
const WRITE = {
  route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
  parameters: { owner: "octo", repo: "demo", issue_number: 1, body: "Hello" },
  answer: Any,
};

async function failureOf(work: Promise<unknown>): Promise<PluginError> {
  return work.then(
    () => expect.unreachable("it succeeded"),
    (error: PluginError) => error,
  );
}

describe("the GitHub client", () => {
  it("sends conditional requests, which do not count against the rate limit", async () => {
    const { github, repository, client } = await aScene();
    const first = await client.rest(READ);
    const left = github.limits.remaining(github.token, "core");
    expect(await client.rest(READ)).toEqual(first);
    expect(github.seen.at(-1)).toMatchObject({ status: 304 });
    expect(github.limits.remaining(github.token, "core")).toBe(left);
    repository.openIssue({ title: "Second" });
    expect(await client.rest(READ)).toHaveLength(2);
  });

  it("sees the first record of a new page after a full one", async () => {
    const { github, repository, client } = await aScene();
    const { owner, repo } = READ.parameters;
    const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
    const read = () => client.pages({ route, parameters: { owner, repo, issue_number: 1 } });
    for (let n = 0; n < 100; n += 1) repository.comment(1, `Comment ${n}`);
    expect(await read()).toHaveLength(100);
    repository.comment(1, "One more");
    expect(await read()).toHaveLength(101);
    expect(await read()).toHaveLength(101);
    expect(github.seen.slice(-2).map(({ status }) => status)).toEqual([304, 304]);
  });

  it("leaves a tenth of the rate limit to people", async () => {
    const { github, client } = await aScene();
    github.limits.setRemaining(github.token, "core", { remaining: 501 });
    await client.rest(READ);
    const before = github.seen.length;
    const failure = await failureOf(client.rest({ ...READ, isBackground: true }));
    expect(failure.category).toBe("rate-limited");
    expect(github.seen).toHaveLength(before);
    await client.rest(WRITE);
  });

  it("shares the budget of a host between clients, and sends nothing once it is used up", async () => {
    const { github, client, host } = await aScene();
    github.limits.setRemaining(github.token, "core", { remaining: 1, inMs: 600_000 });
    await client.rest(READ);
    const before = github.seen.length;
    const failure = await failureOf(createGithubClient(host, identityOn(github)).rest(READ));
    expect(failure.category).toBe("rate-limited");
    expect(failure.retryAfterMs).toBeGreaterThan(500_000);
    expect(github.seen).toHaveLength(before);
  });

  it("sends a host no request from any client until the pause it asked for is over", async () => {
    const { github, client, host } = await aScene();
    github.faults.add({ on: /^GET/, kind: "secondary-limit", retryAfter: 600 });
    await failureOf(client.rest(READ));
    const before = github.seen.length;
    const failure = await failureOf(createGithubClient(host, identityOn(github)).rest(READ));
    expect([failure.category, github.seen.length]).toEqual(["rate-limited", before]);
    expect(failure.retryAfterMs).toBeGreaterThan(500_000);
  });

  it("computes the end of a rate limit by the server's clock", async () => {
    const { github, client } = await aScene({ now: () => Date.now() + 7_200_000 });
    github.limits.setRemaining(github.token, "core", { remaining: 0, inMs: 600_000 });
    const failure = await failureOf(client.rest(READ));
    expect(failure.category).toBe("rate-limited");
    expect(failure.retryAfterMs).toBeGreaterThan(500_000);
    expect(failure.retryAfterMs).toBeLessThan(610_000);
  });

  it("sends a write once, and retries a failed read once", async () => {
    const { github, repository, client } = await aScene();
    github.faults.add({ on: /^GET/, kind: "status", status: 503 });
    expect(await client.rest(READ)).toHaveLength(1);
    github.faults.add({ on: /^POST/, kind: "lost-answer" });
    expect(await failureOf(client.rest(WRITE))).toMatchObject({ category: "unknown-outcome" });
    expect(repository.issue(1).comments).toHaveLength(1);
  });

  it.each([
    ["a secondary limit", { kind: "secondary-limit", retryAfter: 7 }, { category: "rate-limited", retryAfterMs: 7000 }],
    ["a server error", { kind: "status", status: 502, times: 2 }, { category: "unavailable" }],
    ["a connection that breaks", { kind: "hang-up", times: 2 }, { category: "unavailable" }],
    ["no permission", { kind: "status", status: 403 }, { category: "auth" }],
    ["a missing record", { kind: "status", status: 404 }, { category: "not-found" }],
    ["a conflict", { kind: "status", status: 409, times: 2 }, { category: "conflict" }],
  ] as const)("categorizes %s", async (_name, fault, wanted) => {
    const { github, client } = await aScene();
    github.faults.add({ on: /^GET/, ...fault });
    expect(await failureOf(client.rest(READ))).toMatchObject({ plugin: "github", ...wanted });
  });

  it("reports a truncated answer as a bad response", async () => {
    const { github, client } = await aScene();
    github.faults.add({ on: /^GET/, kind: "truncated" });
    const failure = await failureOf(client.rest({ ...READ, answer: z.array(z.unknown()) }));
    expect(failure.category).toBe("bad-response");
  });

  it("reports a GraphQL rate limit, and what GraphQL could not resolve", async () => {
    const { github, client } = await aScene();
    const query = `{ repository(owner: "octo", name: "demo") { issue(number: 99) { title } } }`;
    expect(await client.graphql({ query, answer: Any })).toMatchObject({ missing: ["repository.issue"] });
    github.limits.setRemaining(github.token, "graphql", { remaining: 0 });
    expect((await failureOf(client.graphql({ query, answer: Any }))).category).toBe("rate-limited");
  });

  it("reports a GraphQL rate limit of github.com with the time until it is renewed", async () => {
    const { github, host } = await aScene();
    const { repository, address } = identityOn(github);
    const client = createGithubClient(host, { repository, address: { ...address, isPublic: true } });
    github.limits.setRemaining(github.token, "graphql", { remaining: 0, inMs: 600_000 });
    const failure = await failureOf(client.graphql({ query: "{ viewer { login } }", answer: Any }));
    expect(failure.category).toBe("rate-limited");
    expect(failure.retryAfterMs).toBeGreaterThan(500_000);
    expect(failure.retryAfterMs).toBeLessThan(610_000);
  });

  it("rejects a query that GitHub's published schema does not know", async () => {
    const { client } = await aScene();
    const failure = await failureOf(client.graphql({ query: "{ viewer { shoeSize } }", answer: Any }));
    expect(failure).toMatchObject({ category: "bad-response", message: expect.stringContaining("shoeSize") });
  });

  it("uses the GitHub CLI's token if the environment has none, and asks again once it is rejected", async () => {
    const asked: (readonly string[])[] = [];
    let token = "ghp_revoked";
    const { github, client } = await aScene({
      exec: async ({ args }) => {
        asked.push(args);
        return { code: 0, stdout: `${token}\n`, stderr: "" };
      },
    });
    const failure = await failureOf(client.rest(READ));
    expect(failure).toMatchObject({ category: "auth", hint: expect.stringContaining("gh auth login") });
    token = github.token;
    expect(await client.rest(READ)).toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(["auth", "token", "--hostname", new URL(github.url).host]);
  });

  it("reads the log of a job from another host without sending it the token", async () => {
    const { github, repository, client } = await aScene();
    const { number } = await repository.openPull({ title: "Work", head: "work" });
    const job = repository.checks.fail(number, { name: "unit", log: "line 1\nboom\n" });
    const log = await client.rest({
      route: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
      parameters: { owner: "octo", repo: "demo", job_id: job.id },
      answer: z.string(),
    });
    expect(log).toBe("line 1\nboom\n");
    expect(github.seen.at(-1)).toMatchObject({ path: `/logs/${job.id}`, status: 200 });
  });

  it("puts the token into no error, log line or request to another host", async () => {
    const { github, client, logged } = await aScene();
    const failures: PluginError[] = [];
    for (const kind of ["status", "hang-up", "secondary-limit", "truncated"] as const) {
      github.faults.add({ on: /^GET/, kind, times: 2 });
      failures.push(await failureOf(client.rest({ ...READ, answer: z.array(z.never()) })));
    }
    github.revoke(github.token);
    failures.push(await failureOf(client.rest(READ)));
    const shown = failures.map((failure) => `${failure.stack}${JSON.stringify(failure)}${String(failure.cause)}`);
    expect(`${shown.join()}${JSON.stringify(logged)}`).not.toContain(github.token);
  });
});

describe("the address of a GitHub", () => {
  it.each([
    [undefined, "https://api.github.com", "https://api.github.com/graphql"],
    ["https://github.com", "https://api.github.com", "https://api.github.com/graphql"],
    ["https://ghe.example.com", "https://ghe.example.com/api/v3", "https://ghe.example.com/api/graphql"],
    ["https://ghe.example.com/api/v3", "https://ghe.example.com/api/v3", "https://ghe.example.com/api/graphql"],
  ])("of %s has its API at %s", (baseUrl, rest, graphql) => {
    expect(addressOf(baseUrl)).toMatchObject({ rest, graphql });
  });

  it.each(["octo/demo", "https://github.com/octo/demo", "https://github.com/octo/demo.git"])(
    "finds octo/demo in %s",
    (written) => {
      expect(repositoryOf(written)).toEqual({ owner: "octo", repo: "demo" });
    },
  );
});
