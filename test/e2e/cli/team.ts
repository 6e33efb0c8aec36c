import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { PullRequestDetailView } from "../../../src/protocol/views/pull-request.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { call } from "../../support/api.ts";
import { until } from "../../support/until.ts";
import { makePlace, openShell, type Shell } from "./shell.ts";

/** A repository whose one check wants the sum to be right. */
const FILES = {
  "sum.txt": "0\n",
  "check.sh":
    'grep -q "a + b" sum.txt && echo "the sum is right" || { echo "the sum is wrong:"; cat sum.txt; exit 1; }\n',
};

/** The agent makes a mistake, fixes it when messaged, and does what reviewers request. */
const SCENES = [
  {
    when: { kind: "task", matches: "hopeless" },
    do: [{ write: { path: "sum.txt", text: "a - b\n" } }, { commit: "Try" }, { done: "Tried." }],
  },
  {
    when: { kind: "task", matches: "fine" },
    do: [
      { write: { path: "sum.txt", text: "a + b\n" } },
      { commit: "Add the sum" },
      { usage: { inputTokens: 1000, cachedTokens: 200, outputTokens: 50, model: "house-model-2" } },
      { done: "Added." },
    ],
  },
  {
    when: { kind: "task", matches: "nothing" },
    do: [{ usage: { inputTokens: 7, outputTokens: 3 } }, { done: "Nothing to do." }],
  },
  {
    when: { kind: "task" },
    do: [
      { write: { path: "sum.txt", text: "a - b\n" } },
      { commit: "Add a sum" },
      { usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.25, model: "house-model-2" } },
      { done: "The sum is there." },
    ],
  },
  {
    when: { kind: "message", matches: "requested changes" },
    do: [{ append: { path: "notes.txt", text: "told: {{text}}\n" } }, { commit: "Add notes" }, { done: "Noted." }],
  },
  {
    when: { kind: "message", matches: "wrong" },
    do: [{ replace: { path: "sum.txt", find: "a - b", with: "a + b" } }, { commit: "Fix the sum" }, { done: "Fixed." }],
  },
];

const HOPELESS = [{ when: { kind: "message" }, do: [{ done: "I cannot." }] }, ...SCENES];

export interface Team {
  readonly dir: string;
  readonly repo: string;
  readonly aoHome: string;
  readonly shell: Shell;
  /** The pull request of a session, or by its number. */
  pull(ref: string): Promise<PullRequestDetailView>;
  /** Waits until the pull request has this status. */
  untilStatus(ref: string, status: string): Promise<PullRequestDetailView>;
}

export interface TeamOptions {
  /** Keys of the project beside the agent and the check. */
  readonly project?: Readonly<Record<string, unknown>>;
  /** What the agent does first of all, as scenes of its script. */
  readonly scenes?: readonly unknown[];
  /** An agent that fixes nothing. */
  readonly hopeless?: boolean;
}

/** A repository with a check, an agent that plays a script, and a running daemon. */
export async function makeTeam(options: TeamOptions = {}): Promise<Team> {
  const { dir, aoHome, env } = makePlace();
  const repo = makeRepo(join(dir, "web"), FILES);
  writeFileSync(
    join(dir, "script.yaml"),
    stringify({ pace: 0, scenes: [...(options.scenes ?? []), ...(options.hopeless === true ? HOPELESS : SCENES)] }),
  );
  const project = {
    path: ".",
    agent: "rehearsal",
    agentConfig: { script: join(dir, "script.yaml") },
    checks: { unit: { run: "sh check.sh" } },
    ...options.project,
  };
  writeFileSync(join(repo, "agent-orchestrator.yaml"), stringify({ projects: { web: project } }));
  writeFileSync(join(repo, ".git/info/exclude"), "/agent-orchestrator.yaml\n/.worktrees/\n", { flag: "a" });
  const shell = openShell(repo, env);
  await shell.ok("start", "--no-open", "--detach");
  // Over the socket, not with `ao pr show`: a process for each poll would take CPU from what the test waits for.
  const query = (ref: string): string => new URLSearchParams({ ref, cwd: repo }).toString();
  const pull = async (ref: string): Promise<PullRequestDetailView> => {
    const path = `/api/pull-requests/find?${query(ref)}`;
    const { status, body } = await call<PullRequestDetailView>(join(aoHome, "ao.sock"), "GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const untilStatus = (ref: string, status: string): Promise<PullRequestDetailView> => {
    let last = "";
    return until(`${ref} to be ${status}`, async () => {
      const now = await pull(ref);
      last = `${now.status}: ${now.evidence}`;
      if (now.status === status) return now;
      throw new Error(last);
    });
  };
  return { dir, repo, aoHome, shell, pull, untilStatus };
}

/** The subjects of a branch, newest first. */
export function subjects(repo: string, branch: string): readonly string[] {
  return git(repo, "log", "--format=%s", branch).trim().split("\n");
}
