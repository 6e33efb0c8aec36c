import { onTestFinished } from "vitest";
import { type FakeGithub, startFakeGithub } from "../../../src/testing/fake-github/fake-github.ts";
import type { FakeRepository } from "../../../src/testing/fake-github/scripts.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import type { LoopForge } from "./loop-forge.ts";

export interface LoopGithub extends LoopForge {
  readonly github: FakeGithub;
  readonly there: FakeRepository;
}

/** A fake GitHub; removed with the test. */
export async function startLoopGithub(): Promise<LoopGithub> {
  const github = await startFakeGithub({ folder: tempDir() });
  onTestFinished(() => github.close());
  const there = github.createRepository("octo/demo");
  const { url, token, faults, seen } = github;
  return {
    ...{ github, there, url, token, faults, seen },
    scm: "github",
    user: "x-access-token",
    cloneUrl: there.cloneUrl,
    gitDir: there.record.gitDir,
    env: (secret) => ({ GITHUB_TOKEN: token, GITHUB_WEBHOOK_SECRET: secret }),
    addHook: there.addHook,
    protectMain: () => there.protect("main", { approvals: 1, checks: ["build"] }),
    openIssue: ({ title, text }) => {
      const issue = there.openIssue({ title, body: text });
      return () => ({ isClosed: issue.state === "closed", comments: issue.comments.map(({ body }) => body) });
    },
    pullNumbers: () => [...there.record.pulls.keys()],
    pull: (number) => {
      const { headBranch: branch, head, body, mergedAt, comments, threads } = there.pull(number);
      const talk = [...comments.map((one) => [one]), ...threads.map((thread) => thread.comments)];
      return {
        ...{ branch, head, body: body ?? "", isMerged: mergedAt !== null },
        talk: talk.map((texts) => texts.map((one) => one.body)),
      };
    },
    failBuild: (number, { command, log }) => void there.checks.fail(number, { name: "build", step: command, log }),
    passBuild: (number) => void there.checks.pass(number, "build"),
    requestChanges: (number, body, { path, text }) =>
      there.review(number, { state: "CHANGES_REQUESTED", body, comments: [{ path, line: 1, body: text }] }),
    approve: (number) => there.review(number, { state: "APPROVED" }),
  };
}
