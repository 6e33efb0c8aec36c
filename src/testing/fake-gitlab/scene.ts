import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { git, writeFiles } from "../git-repo.ts";
import { tempDir } from "../temp.ts";
import { type FakeGitlab, startFakeGitlab } from "./fake-gitlab.ts";
import type { FakeProject } from "./scripts.ts";

export interface GitlabScene {
  readonly gitlab: FakeGitlab;
  readonly project: FakeProject;
  /** Commits files on a branch of a checkout and pushes it over HTTP; returns the commit. */
  push(branch: string, files: Readonly<Record<string, string>>, from?: string): Promise<string>;
  /** The path below the project. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; headers: Headers; body: never }>;
}

/** A GitLab with the project `octo/demo`; removed after the test. */
export async function aGitlabScene(): Promise<GitlabScene> {
  const folder = tempDir();
  const gitlab = await startFakeGitlab({ folder: join(folder, "server") });
  onTestFinished(() => gitlab.close());
  const project = gitlab.createProject("octo/demo");
  const work = join(folder, "work");
  const remote = project.cloneUrl.replace("http://", `http://oauth2:${gitlab.token}@`);
  return {
    gitlab,
    project,
    push: async (branch, files, from) => {
      if (branch === "main") git(folder, "init", "-q", "-b", "main", work);
      if (from !== undefined) git(work, "checkout", "-q", "-B", branch, from);
      writeFiles(work, files);
      git(work, "add", "-A");
      git(work, "commit", "-q", "-m", `work on ${branch}`);
      // Not the synchronous `git`, which would block the server in this process.
      await promisify(execFile)("git", ["push", "-q", remote, branch], { cwd: work });
      return git(work, "rev-parse", "HEAD").trim();
    },
    call: async (method, path, body) => {
      const headers = { authorization: `Bearer ${gitlab.token}`, "content-type": "application/json" };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${gitlab.apiUrl}/projects/octo%2Fdemo${path}`, { method, headers, ...text });
      const answer = await response.text();
      return { status: response.status, headers: response.headers, body: parse(answer) as never };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
