import { describeWorkspaceLoss } from "../../../testing/contracts/workspace-loss.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { worktree } from "./worktree.ts";

describeWorkspaceLoss({
  name: "worktree",
  create: (host) => worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" }),
  runs: 15,
  fullRuns: 500,
});
