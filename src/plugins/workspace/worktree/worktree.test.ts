import { describeWorkspaceContract } from "../../../testing/contracts/workspace.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { worktree } from "./worktree.ts";

describeWorkspaceContract({
  name: "worktree",
  create: (host) => worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" }),
});
