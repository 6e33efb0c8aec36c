import { describeWorkspaceLoss } from "../../../testing/contracts/workspace-loss.contract.ts";
import { worktree } from "./worktree.ts";

describeWorkspaceLoss({
  name: "worktree",
  create: (host) => worktree.create(worktree.config.parse({}), host, { home: "", projectPath: "" }),
  runs: 25,
});
