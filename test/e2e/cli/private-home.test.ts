import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { until } from "../../support/until.ts";
import { makePlace, openShell } from "./shell.ts";

it("keeps AO_HOME private and reports a hanging daemon", async () => {
  const { dir, aoHome, env } = makePlace();
  const shell = openShell(makeRepo(join(dir, "web")), env);
  await shell.ok("start", "--no-open", "--detach");
  await shell.ok("config", "set", "projects.web.agentConfig", "{ command: [cat] }");
  await shell.ok("new", "Fix login");
  await until("the agent to run", () => existsSync(join(aoHome, "sessions/web-fix-login/runs/1/identity")));
  const open = (readdirSync(aoHome, { recursive: true }) as string[])
    .map((name) => join(aoHome, name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(open.map((path) => relative(aoHome, path))).toEqual([]);

  const { pid } = JSON.parse(await shell.ok("api", "GET", "/healthz")) as { readonly pid: number };
  process.kill(pid, "SIGSTOP");
  const since = performance.now();
  const answers = await Promise.all([shell.ao("list"), shell.ao("stop"), shell.ao("start", "--no-open")]);
  // Suspended, not busy: nobody has to wait for a minute to learn that.
  expect(performance.now() - since).toBeLessThan(15_000);
  process.kill(pid, "SIGCONT");
  for (const { code, err } of answers) {
    expect([code, err]).toEqual([1, expect.stringContaining(`the daemon (pid ${pid}) runs but does not answer`)]);
  }
});
