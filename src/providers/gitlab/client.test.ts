import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { PluginError } from "../../core/errors.ts";
import { http } from "../../platform/http.ts";
import type { Host } from "../../ports/host.ts";
import { type FakeGitlab, startFakeGitlab } from "../../testing/fake-gitlab/fake-gitlab.ts";
import type { FakeProject } from "../../testing/fake-gitlab/scripts.ts";
import { createFakeMachine, type LogLine } from "../../testing/fakes/host.ts";
import { tempDir } from "../../testing/temp.ts";
import { addressOf, GitlabConfig, projectPathOf } from "./address.ts";
import { createGitlabClient, type GitlabClient } from "./client.ts";

interface Scene {
  readonly gitlab: FakeGitlab;
  readonly project: FakeProject;
  readonly client: GitlabClient;
  readonly host: Host;
  readonly logged: readonly LogLine[];
}

async function aScene(exec?: Host["exec"]): Promise<Scene> {
  const gitlab = await startFakeGitlab({ folder: tempDir() });
  onTestFinished(() => gitlab.close());
  const project = gitlab.createProject("octo/demo");
  project.openIssue({ title: "First" });
  const machine = createFakeMachine({
    clock: { now: Date.now, after: () => () => undefined },
    env: exec === undefined ? { GITLAB_TOKEN: gitlab.token } : {},
    ...(exec === undefined ? {} : { exec }),
  });
  const host = { ...machine.host, http };
  return {
    gitlab,
    project,
    client: createGitlabClient(host, addressOf(gitlab.url), "octo/demo"),
    host,
    logged: machine.logged,
  };
}

const READ = { path: "/projects/:id/issues", answer: z.unknown() };
const WRITE = { ...READ, method: "POST", path: "/projects/:id/issues/1/notes", body: { body: "Hello" } } as const;

async function failureOf(work: Promise<unknown>): Promise<PluginError> {
  return work.then(
    () => expect.unreachable("it succeeded"),
    (error: PluginError) => error,
  );
}

describe("the GitLab client", () => {
  it("sends a write once, and retries a failed read once", async () => {
    const { gitlab, project, client } = await aScene();
    gitlab.faults.add({ on: /^GET/, kind: "status", status: 503 });
    expect(await client.read(READ)).toHaveLength(1);
    gitlab.faults.add({ on: /^POST/, kind: "lost-answer" });
    expect(await failureOf(client.write(WRITE))).toMatchObject({ category: "unknown-outcome" });
    expect(project.issue(1).discussions).toHaveLength(1);
  });

  it.each([
    ["a limit", { kind: "secondary-limit", retryAfter: 7 }, { category: "rate-limited", retryAfterMs: 7000 }],
    ["a server error", { kind: "status", status: 502, times: 2 }, { category: "unavailable" }],
    ["a connection that breaks", { kind: "hang-up", times: 2 }, { category: "unavailable" }],
    ["no permission", { kind: "status", status: 403 }, { category: "auth" }],
    ["a missing record", { kind: "status", status: 404 }, { category: "not-found" }],
    ["a conflict", { kind: "status", status: 409 }, { category: "conflict" }],
    ["a truncated answer", { kind: "truncated" }, { category: "bad-response" }],
  ] as const)("categorizes %s", async (_name, fault, wanted) => {
    const { gitlab, client } = await aScene();
    gitlab.faults.add({ on: /^GET/, ...fault });
    expect(await failureOf(client.read(READ))).toMatchObject({ plugin: "gitlab", ...wanted });
  });

  it("sends a host no more requests until its rate limit is over", async () => {
    const { gitlab, client, host } = await aScene();
    gitlab.limits.setRemaining(gitlab.token, { remaining: 0, inMs: 30_000 });
    expect((await failureOf(client.read(READ))).category).toBe("rate-limited");
    const before = gitlab.seen.length;
    const failure = await failureOf(createGitlabClient(host, addressOf(gitlab.url), "octo/demo").read(READ));
    expect(failure.category).toBe("rate-limited");
    expect(failure.retryAfterMs).toBeGreaterThan(20_000);
    expect(gitlab.seen).toHaveLength(before);
  });

  it("uses the GitLab CLI's token if the environment has none, and asks again once it is rejected", async () => {
    const asked: (readonly string[])[] = [];
    let token = "glpat-revoked";
    const { gitlab, client } = await aScene(async ({ args }) => {
      asked.push(args);
      return { code: 0, stdout: `${token}\n`, stderr: "" };
    });
    const failure = await failureOf(client.read(READ));
    expect(failure).toMatchObject({ category: "auth", hint: expect.stringContaining("glab auth login") });
    token = gitlab.token;
    expect(await client.read(READ)).toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(["config", "get", "token", "--host", new URL(gitlab.url).host]);
  });

  it("puts the token into no error or log line", async () => {
    const { gitlab, client, logged } = await aScene();
    const failures: PluginError[] = [];
    for (const kind of ["status", "hang-up", "truncated"] as const) {
      gitlab.faults.add({ on: /^GET/, kind, times: 2 });
      failures.push(await failureOf(client.read({ ...READ, answer: z.array(z.never()) })));
    }
    gitlab.revoke(gitlab.token);
    failures.push(await failureOf(client.read(READ)));
    const shown = failures.map((failure) => `${failure.stack}${JSON.stringify(failure)}${String(failure.cause)}`);
    expect(`${shown.join()}${JSON.stringify(logged)}`).not.toContain(gitlab.token);
  });
});

describe("the address of a GitLab", () => {
  it.each([
    [undefined, "https://gitlab.com/api/v4"],
    ["https://gitlab.example.com", "https://gitlab.example.com/api/v4"],
    ["https://example.com/gitlab/", "https://example.com/gitlab/api/v4"],
    ["https://gitlab.example.com/api/v4", "https://gitlab.example.com/api/v4"],
  ])("of %s has its API at %s", (baseUrl, api) => {
    expect(addressOf(baseUrl).api).toBe(api);
  });

  it.each(["group/sub/demo", "https://gitlab.com/group/sub/demo", "https://gitlab.com/group/sub/demo.git"])(
    "finds group/sub/demo in %s",
    (written) => {
      expect(projectPathOf(GitlabConfig.parse({ repo: written }).repo)).toBe("group/sub/demo");
    },
  );

  it("does not accept a name without a group as a project", () => {
    expect(GitlabConfig.safeParse({ repo: "demo" }).success).toBe(false);
  });
});
