import { describeWorkspaceContract } from "../../../testing/contracts/workspace.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { clone } from "./clone.ts";

describeWorkspaceContract({
  name: "clone",
  comparable: false,
  create: (host) => clone.create(clone.config.parse({}), host, { home: tempDir(), projectPath: "" }),
});
