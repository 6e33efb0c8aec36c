import { describeWorkspaceLoss } from "../../../testing/contracts/workspace-loss.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { clone } from "./clone.ts";

describeWorkspaceLoss({
  name: "clone",
  create: (host) => clone.create(clone.config.parse({}), host, { home: tempDir(), projectPath: "" }),
  runs: 8,
  fullRuns: 100,
});
