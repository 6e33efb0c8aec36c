import { onTestFinished } from "vitest";
import { readBranch } from "../../../src/testing/fake-forge/git.ts";
import { type FakeGithub, startFakeGithub } from "../../../src/testing/fake-github/fake-github.ts";
import type { Job } from "../../../src/testing/fake-github/model.ts";
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
    failBuild: (number, { command, log }) => {
      there.checks.onRerun((job) => there.checks.end(job, "failure", { step: command, log }));
      there.checks.fail(number, { name: "build", step: command, log });
    },
    runCi: (number, all) => {
      const { checks, record } = there;
      const end = (job: Job, passes: boolean, log: string): void =>
        void checks.end(job, passes ? "success" : "failure", { step: job.check.name, log });
      checks.onRerun((job) => {
        const { again = true, log = "" } = all[job.check.name] ?? {};
        end(job, again, log);
      });
      const main = readBranch(record.gitDir, "main") ?? "";
      for (const [name, { onMain, log }] of Object.entries(all)) end(checks.startOn(main, name), onMain, log);
      for (const [name, { first, log }] of Object.entries(all)) end(checks.start(number, name), first, log);
    },
    passBuild: (number) => void there.checks.pass(number, "build"),
    requestChanges: (number, body, { path, text }) =>
      there.review(number, { state: "CHANGES_REQUESTED", body, comments: [{ path, line: 1, body: text }] }),
    approve: (number) => there.review(number, { state: "APPROVED" }),
  };
}
