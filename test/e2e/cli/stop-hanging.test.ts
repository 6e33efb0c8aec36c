import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../../src/testing/temp.ts";
import { until } from "../../support/until.ts";
import { makeTeam } from "./team.ts";

it.each(["postCreate", "post-checkout"])("stops a session whose %s hangs", async (what) => {
  const isHook = what === "post-checkout";
  const begun = join(tempDir(), "begun");
  const command = `touch '${begun}'; sleep 1000`;
  const { shell, repo } = await makeTeam({ project: isHook ? {} : { postCreate: [command] } });
  if (isHook) {
    writeFileSync(join(repo, ".git/hooks/post-checkout"), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    // A hook that came after the project runs only if its owner says so.
    await shell.ok("start", "--no-open", "--detach");
  }
  const creating = shell.ao("new", "Job");
  await until("the command to begin", () => existsSync(begun));
  expect(await shell.ok("stop", "web-job")).toContain("web-job");
  const { data } = await shell.json<{ readonly data: readonly unknown[] }>("list");
  expect(data).toEqual([]);
  await creating;
});
