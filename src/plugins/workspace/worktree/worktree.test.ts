import { describeWorkspaceContract } from "../../../testing/contracts/workspace.contract.ts";
import { worktree } from "./worktree.ts";

describeWorkspaceContract({
  name: "worktree",
  create: (host) => worktree.create(worktree.config.parse({}), host, { home: "", projectPath: "" }),
});
