import { describeScmContract } from "../contracts/scm.contract.ts";
import { createFakeMachine } from "./host.ts";
import { createFakeRepository } from "./repository.ts";
import { createRushingClock } from "./rushing-clock.ts";
import { createFakeScm } from "./scm.ts";

describeScmContract({
  name: "of the test bed",
  create: () => {
    const { host } = createFakeMachine({ clock: createRushingClock() });
    const repository = createFakeRepository();
    return {
      scm: createFakeScm(host, repository).scm,
      fs: host.fs,
      project: { id: "p", path: "/repo", defaultBranch: "main" },
      commit: async (branch, files, options) => repository.commitTo(branch, files, options),
      read: async (branch, path) => repository.get(repository.head(branch) ?? "")?.tree.get(path) ?? null,
      history: async (branch) => repository.history(repository.head(branch) ?? "").map(({ subject }) => subject),
    };
  },
  skip: [
    {
      test: "checks exactly the requested commit, in a clean checkout",
      reason: "its checkouts are plain files, without git",
    },
    { test: "leaves no checkout behind", reason: "its shell has no mkdir and no chmod" },
    { test: "ends a check that is no longer wanted", reason: "its checks leave no trace on a real disk" },
  ],
});
