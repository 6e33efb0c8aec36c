import { describeWorkspaceLoss } from "../../../testing/contracts/workspace-loss.contract.ts";
import { inSandbox } from "../../../testing/own-repository.ts";
import { tempDir } from "../../../testing/temp.ts";
import { worktree } from "./worktree.ts";

describeWorkspaceLoss({
  name: "worktree of a session in a sandbox",
  create: (host) => inSandbox(worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" })),
  runs: 10,
  fullRuns: 300,
});
