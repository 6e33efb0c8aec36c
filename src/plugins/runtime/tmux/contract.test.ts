import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import { describeRuntimeContract } from "../../../testing/contracts/runtime.contract.ts";
import { tmux } from "./tmux.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const host = createNodeHost({ log: createSilentLog() });

if (hasTmux) {
  describeRuntimeContract({
    name: "tmux",
    host: () => host,
    create: (given, home) => tmux.create(tmux.config.parse({}), given, { home, projectPath: "" }),
    input: "terminal",
  });
} else {
  describe("the runtime tmux", () => {
    it.skip("is skipped, because tmux is not installed here", () => undefined);
  });
}
