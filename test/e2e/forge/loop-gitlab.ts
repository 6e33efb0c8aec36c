import { onTestFinished } from "vitest";
import { readBranch } from "../../../src/testing/fake-forge/git.ts";
import { startFakeGitlab } from "../../../src/testing/fake-gitlab/fake-gitlab.ts";
import type { Job } from "../../../src/testing/fake-gitlab/model.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import type { LoopForge } from "./loop-forge.ts";

/** A fake GitLab; removed with the test. */
export async function startLoopGitlab(): Promise<LoopForge> {
  const gitlab = await startFakeGitlab({ folder: tempDir() });
  onTestFinished(() => gitlab.close());
  const there = gitlab.createProject("octo/demo");
  const { url, token, faults, seen } = gitlab;
  return {
    ...{ url, token, faults, seen },
    scm: "gitlab",
    user: "oauth2",
    cloneUrl: there.cloneUrl,
    gitDir: there.record.gitDir,
    env: (secret) => ({ GITLAB_TOKEN: token, GITLAB_WEBHOOK_SECRET: secret }),
    addHook: there.addHook,
    protectMain: () => there.set({ approvalsRequired: 1, pipelineMustSucceed: true }),
    openIssue: ({ title, text }) => {
      const issue = there.openIssue({ title, description: text });
      return () => ({
        isClosed: issue.state === "closed",
        comments: issue.discussions.flatMap(({ notes }) => notes.map(({ body }) => body)),
      });
    },
    pullNumbers: () => [...there.record.mergeRequests.keys()],
    pull: (number) => {
      const { sourceBranch: branch, head, description, state, discussions } = there.mergeRequest(number);
      const talk = discussions.map(({ notes }) => notes.filter(({ isSystem }) => !isSystem));
      return {
        ...{ branch, head, body: description ?? "", isMerged: state === "merged" },
        talk: talk.filter((notes) => notes.length > 0).map((notes) => notes.map(({ body }) => body)),
      };
    },
    failBuild: (number, { command, log }) => {
      const trace = `$ ${command}\n${log}\n`;
      there.jobs.onRetry((job) => there.jobs.end(job, "failed", { trace }));
      there.jobs.fail(number, { name: "build", trace });
    },
    runCi: (number, all) => {
      const { jobs, record } = there;
      const end = (job: Job, passes: boolean, log: string): void =>
        void jobs.end(job, passes ? "success" : "failed", { trace: `$ ${job.name}\n${log}\n` });
      jobs.onRetry((job) => {
        const { again = true, log = "" } = all[job.name] ?? {};
        end(job, again, log);
      });
      const main = readBranch(record.gitDir, "main") ?? "";
      for (const [name, { onMain, log }] of Object.entries(all)) end(jobs.startOn(main, name), onMain, log);
      for (const [name, { first, log, isOptional = false }] of Object.entries(all)) {
        end(jobs.start(number, name, { allowFailure: isOptional }), first, log);
      }
    },
    passBuild: (number) => void there.jobs.pass(number, "build"),
    requestChanges: (number, body, { path, text }) =>
      there.review(number, { comments: [{ body }, { path, line: 1, body: text }], requestsChanges: true }),
    approve: there.approve,
  };
}
