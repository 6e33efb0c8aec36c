import { describeWorkspaceContract } from "../../../testing/contracts/workspace.contract.ts";
import { inSandbox } from "../../../testing/own-repository.ts";
import { tempDir } from "../../../testing/temp.ts";
import { worktree } from "./worktree.ts";

describeWorkspaceContract({
  name: "worktree of a session in a sandbox",
  create: (host) => inSandbox(worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" })),
});
