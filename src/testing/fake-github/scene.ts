import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { git, writeFiles } from "../git-repo.ts";
import { tempDir } from "../temp.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import type { FakeRepository } from "./scripts.ts";

export interface GithubScene {
  readonly github: FakeGithub;
  readonly repository: FakeRepository;
  /** A checkout of the repository. */
  readonly work: string;
  /** Commits files on a branch and pushes it over HTTP; returns the commit. */
  push(branch: string, files: Readonly<Record<string, string>>, from?: string): Promise<string>;
  call: Call;
  /** Calls with another token, or the signed statement of an App. */
  callAs(bearer: string): Call;
  graphql(query: string): Promise<never>;
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: never }>;

export const PULLS = "/repos/octo/demo/pulls";

/**
 * A GitHub with the repository `octo/demo`, its branch main with one commit, and a checkout; removed after the test.
 */
export async function aGithubScene(): Promise<GithubScene> {
  const folder = tempDir();
  const github = await startFakeGithub({ folder: join(folder, "server") });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  const work = join(folder, "work");
  const remote = repository.cloneUrl.replace("http://", `http://x-access-token:${github.token}@`);
  git(folder, "init", "-q", "-b", "main", work);
  const headers = { authorization: `Bearer ${github.token}` };
  const callAs =
    (bearer: string): Call =>
    async (method, path, body) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const as = { authorization: `Bearer ${bearer}` };
      const response = await fetch(`${github.apiUrl}${path}`, { method, headers: as, ...text });
      const answer = await response.text();
      return { status: response.status, body: (answer === "" ? null : JSON.parse(answer)) as never };
    };
  const scene: GithubScene = {
    github,
    repository,
    work,
    push: async (branch, files, from) => {
      if (from !== undefined) git(work, "checkout", "-q", "-B", branch, from);
      writeFiles(work, files);
      git(work, "add", "-A");
      git(work, "commit", "-q", "-m", `work on ${branch}`);
      // Not the synchronous `git`, which would block the server in this process.
      await promisify(execFile)("git", ["push", "-q", remote, branch], { cwd: work });
      return git(work, "rev-parse", "HEAD").trim();
    },
    call: callAs(github.token),
    callAs,
    graphql: async (query) => {
      const body = JSON.stringify({ query });
      const response = await fetch(`${github.url}/api/graphql`, { method: "POST", headers, body });
      return (await response.json()) as never;
    },
  };
  await scene.push("main", { "README.md": "# demo\n" });
  return scene;
}

/** Pushes the branch `work` and opens pull request 1 for it; returns its head. */
export async function openWork(scene: GithubScene): Promise<string> {
  const head = await scene.push("work", { "a.txt": "a\n" }, "main");
  const { status } = await scene.call("POST", PULLS, { title: "Work", head: "work", base: "main", body: "Fixes #1" });
  expect(status).toBe(201);
  return head;
}
