import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { SessionView } from "../../../src/protocol/views/session.ts";
import { isFull } from "../../../src/testing/full.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { makeFleet, processesOf } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { ao } from "./ao.ts";
import { open } from "./session.ts";

// As many as once made `ao stop --sessions` give up; a sample in the usual run.
const MANY = isFull ? 200 : 24;
const BUSY = 8;
const lightAgent = { command: [fileURLToPath(new URL("../../fixtures/bin/light-agent.sh", import.meta.url))] };

it(`ao stop --sessions ends ${MANY} sessions beside ${BUSY} busy processes, and leaves nothing running`, async () => {
  const fleet = await makeFleet({ agentConfig: lightAgent, machine: { limits: { parallelAgents: MANY } } });
  await open(fleet);
  const titles = Array.from({ length: MANY }, (_, index) => `task ${index}`);
  await Promise.all(titles.map((title) => fleet.write("POST", "/api/sessions", { title, prompt: title })));
  await until("every agent to be done", async () => {
    const { data } = (await fleet.api<{ data: readonly SessionView[] }>("GET", "/api/sessions")).body;
    return data.filter(({ status }) => status === "idle").length === MANY;
  });
  const busy = Array.from({ length: BUSY }, () => spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }));
  onTestFinished(() => {
    for (const child of busy) child.kill("SIGKILL");
  });
  const said = await ao(fleet, "stop", "--sessions");
  expect(said).toMatch(new RegExp(`^the daemon and ${MANY} sessions stopped: `));
  await until("the daemon to end", () => !fleet.isUp());
  expect(processesOf(fleet.home)).toEqual([]);
  expect(git(fleet.repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
});
