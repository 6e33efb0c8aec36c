import { onTestFinished } from "vitest";
import { endEverything } from "../../e2e/cli/shell.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";

/** A daemon with one project whose agent is a shell program in a terminal of tmux. */
export async function startInTerminals(program: string): Promise<Fleet> {
  const fleet = await makeFleet({
    agentConfig: { command: ["sh", "-c", program], interface: "terminal" },
    project: { runtime: { plugin: "tmux", quietMs: 100, settleMs: 50 } },
  });
  onTestFinished(() => endEverything(fleet.home));
  await fleet.start();
  await fleet.write("POST", "/api/projects", { path: fleet.repo });
  return fleet;
}
