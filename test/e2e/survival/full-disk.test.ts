import { mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { smallDisk, tempDir } from "../../../src/testing/temp.ts";
import { call } from "../../support/api.ts";
import { until } from "../../support/until.ts";
import { endEverything, openShell, plainEnvironment, processesIn } from "../cli/shell.ts";

it("ends an agent that filled the disk and frees the space", async ({ skip }) => {
  const disk = smallDisk(24);
  if (disk === null) return skip("this user may not mount a file system");
  const dir = tempDir("ao-full-");
  const aoHome = join(disk, "home");
  const env = { ...plainEnvironment(dir), AO_HOME: aoHome };
  onTestFinished(() => endEverything(aoHome));
  const repo = makeRepo(join(dir, "web"));
  const talk = "while :; do yes 'much to say' | head -c 100M 2>/dev/null; done";
  writeFileSync(
    join(repo, "agent-orchestrator.yaml"),
    JSON.stringify({ projects: { web: { path: ".", agentConfig: { command: ["sh", "-c", talk] } } } }),
  );
  mkdirSync(aoHome, { recursive: true });
  const shell = openShell(repo, env);
  await shell.ok("start", "--no-open", "--detach");
  await shell.ok("new", "Talk");
  await until("the disk to be full", () => statfsSync(disk).bavail < 64);
  await until("the daemon to notice it", async () => {
    const { body } = await call<{ readonly ok: boolean }>(join(aoHome, "ao.sock"), "GET", "/healthz");
    return !body.ok || statfsSync(disk).bavail > 64;
  });
  expect(await shell.ok("stop", "web-talk")).toContain("web-talk");
  await until("only the daemon to be left", () => processesIn(aoHome).length <= 1);
  const { bavail, bsize } = statfsSync(disk);
  expect((bavail * bsize) / 1024 / 1024).toBeGreaterThan(8);
});
