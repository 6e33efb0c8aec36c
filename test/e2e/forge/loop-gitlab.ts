import { onTestFinished } from "vitest";
import { startFakeGitlab } from "../../../src/testing/fake-gitlab/fake-gitlab.ts";
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
    failBuild: (number, { command, log }) =>
      void there.jobs.fail(number, { name: "build", trace: `$ ${command}\n${log}\n` }),
    passBuild: (number) => void there.jobs.pass(number, "build"),
    requestChanges: (number, body, { path, text }) =>
      there.review(number, { comments: [{ body }, { path, line: 1, body: text }], requestsChanges: true }),
    approve: there.approve,
  };
}
